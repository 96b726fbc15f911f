const listFormat = new Intl.ListFormat('pt-BR', { type: 'disjunction' })

const nameEnvironment = (testMode: boolean) => (testMode ? 'de teste' : 'real')

export const accessTexts = {
  notAllowed: (allowed: readonly string[], role: string) =>
    `Isto cabe a quem tem o papel ${listFormat.format(allowed)}; o seu é ${role}. Peça a uma dessas pessoas.`,
  environmentChanged: (testMode: boolean) =>
    `Nada foi feito: em outra aba, o painel passou para o ambiente ${nameEnvironment(testMode)}. Volte, troque de ambiente e envie de novo.`,
  formExpired: 'Este formulário venceu, e nada foi feito. Abra-o de novo e envie.',
} as const

export const stepUpTexts = {
  title: 'Confirme que é você',
  wrongPassword: 'Senha incorreta.',
  tooMany: 'Muitas tentativas com a senha errada. Espere um pouco e tente de novo.',
  tooManyCodes: 'Muitas tentativas com o código errado. Espere um pouco e tente de novo.',
  wrongCode: 'Código incorreto ou já usado. Confira o relógio do celular e tente o próximo.',
} as const

export const deviceTexts = {
  device: (browser: string, system: string) => `${browser} no ${system}`,
  unknownDevice: 'Aparelho desconhecido',
  browser: 'Navegador',
} as const

export const signInTexts = {
  titles: { password: 'Entrar', code: 'Confirmar a entrada' },
  password: 'E-mail ou senha incorretos.',
  code: 'Código incorreto ou já usado. Confira o relógio do celular e tente o próximo.',
  expired: 'O tempo para confirmar acabou. Entre de novo.',
  wait: 'Muitas tentativas de entrar. Espere um pouco e tente de novo.',
} as const

export const tokenPageTexts = {
  invitationTitle: (company: string) => `Convite para ${company}`,
  lostPassword: 'Esqueci a senha',
  newPassword: 'Criar nova senha',
  overTitle: 'Este link não vale mais',
  overInvitation:
    'O convite já foi usado, foi cancelado ou venceu. Peça um novo a quem convidou você.',
  overReset: 'Ele já foi usado ou venceu. Peça um novo.',
  askAgain: 'Pedir um novo link',
  email: 'Informe um e-mail válido, como nome@exemplo.com.br.',
  tooMany: 'Muitos pedidos em pouco tempo. Espere um pouco e tente de novo.',
} as const

export const setUpTexts = {
  title: 'Configurar o Vintém',
  doneTitle: 'Tudo pronto',
  code: 'Confira o código de configuração que a primeira execução imprimiu.',
  companyName: 'Informe o nome da empresa.',
  email: 'Informe um e-mail válido, como nome@exemplo.com.br.',
} as const
