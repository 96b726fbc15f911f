export const userTexts = {
  notFound: 'Esta pessoa não faz mais parte da empresa.',
  lastOwner:
    'A empresa precisa de ao menos um proprietário. Torne outra pessoa proprietária antes.',
  cannotInvite: 'Não foi possível convidar este e-mail.',
  tooManyInvitations: (max: number) =>
    `Há ${max} convites em aberto. Cancele os que não servem mais antes de convidar de novo.`,
  password: {
    length: (min: number, max: number) => `Escolha uma senha de ${min} a ${max} caracteres.`,
    isEmail: 'A senha não pode ser o seu e-mail. Escolha outra.',
    isCompany: 'A senha não pode ser o nome da empresa. Escolha outra.',
    common:
      'Esta senha é fácil de adivinhar. Escolha outra: quatro palavras que não combinam entre si são uma boa senha.',
  },
  busy: 'Muitas pessoas estão entrando agora. Tente novamente em instantes.',
} as const
