export const closingPageTexts = {
  lost: (amount: string) => `E ${amount} perdidos em contestação`,
  wonBack: (amount: string) => `E ${amount} recuperados em contestação`,
} as const
