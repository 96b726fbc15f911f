// Texts of all lists.

export const listTexts = {
  moreThan: (count: string) => `mais de ${count}`,
  presets: {
    today: 'hoje',
    yesterday: 'ontem',
    week: '7 dias',
    month: 'este mês',
    lastMonth: 'mês passado',
  },
} as const
