export const apiKeyTexts = {
  notFound: 'Chave de API não encontrada.',
  until: (days: number) => `A chave antiga pode valer por no máximo ${days} dias.`,
  notRollable: 'Esta chave foi revogada ou já está sendo trocada.',
} as const
