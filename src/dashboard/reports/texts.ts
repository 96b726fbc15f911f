export const closingPageTexts = {
  readers: {
    sentence: (email: string) => `fechamento por e-mail para ${email}`,
    yes: 'sim',
    no: 'não',
  },
} as const
