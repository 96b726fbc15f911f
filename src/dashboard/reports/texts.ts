export const closingPageTexts = {
  lost: (amount: string) => `E ${amount} perdidos em contestação`,
  surplusKept: (amount: string) =>
    `Além disso ficaram ${amount} que entraram a mais neste mês, fora das vendas.`,
  surplusGone: (amount: string) =>
    `Além disso voltaram ${amount} que tinham entrado a mais antes, fora das vendas.`,
  wonBack: (amount: string) => `E ${amount} recuperados em contestação`,
} as const
