// Texts of all forms.

export const formTexts = {
  money: 'Informe um valor em reais (ex.: 1.990,00).',
  ambiguousMoney: (typed: string, one: string, other: string) =>
    `${typed} pode ser ${one} ou ${other}. Escreva também os centavos.`,
  minMoney: (least: string) => `O valor mínimo é ${least}.`,
  maxMoney: (most: string) => `O valor máximo é ${most}.`,
} as const

/** Two people edited the same form (versioned.ts). */
export const versionTexts = {
  changing: 'Nada foi salvo: alguém está mudando o mesmo agora. Volte e envie de novo.',
  became: (to: string) => ` → ${to}`,
  changed: (name: string, from: string, to: string) => `${name}: ${from} → ${to}`,
  when: (day: string | null, time: string) => (day ? `em ${day} às ${time}` : `às ${time}`),
  byPerson: (who: string, name: string, to: string, when: string) =>
    `${who} mudou “${name}” para ${to} ${when}`,
  bySomebody: (name: string, to: string) => `“${name}” mudou para ${to} enquanto você editava`,
  none: 'nada',
} as const
