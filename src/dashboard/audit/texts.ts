import { countOf } from '../../format.ts'

export const auditPageTexts = {
  anybody: 'Todas as pessoas',
  anything: 'Tudo',
  see: 'Ver',
  until: (when: string) => `A antiga vale até ${when}`,
  createdFrom: (when: string) => `Eventos desde ${when}`,
  createdTo: (when: string) => `até ${when}`,
  count: (n: number) => countOf(n, 'entrega'),
  links: (n: number) => countOf(n, 'link'),
  tries: (n: number) => `${countOf(n, 'tentativa')} nesta hora`,
  networks: (networks: string) => `De ${networks}`,
  allowedNetworks: (networks: string) => (networks ? `Só de ${networks}` : 'De qualquer lugar'),
  newDevice: (device: string) => `Aparelho novo: ${device}`,
  declined: (n: number) => `${n} cartões recusados em uma hora`,
  pausedUntil: (when: string) => `Pausados até ${when}`,
  changes: { disabled: 'Desativou', enabled: 'Reativou' },
} as const
