import { countOf } from '../../format.ts'

export const closingPageTexts = {
  lost: (amount: string) => `E ${amount} perdidos em contestação`,
  wonBack: (amount: string) => `E ${amount} recuperados em contestação`,
  readers: {
    sentence: (email: string) => `fechamento por e-mail para ${email}`,
    count: (n: number) => countOf(n, 'pessoa recebe', 'pessoas recebem'),
    yes: 'sim',
    no: 'não',
  },
} as const
