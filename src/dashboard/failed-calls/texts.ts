export const failedCallTexts = {
  title: 'Chamadas com erro',
  anyKey: 'Todas',
  anyStatus: 'Todas',
  noRoute: 'endereço que não existe',
} as const
