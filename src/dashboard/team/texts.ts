export const teamTexts = {
  inviteTitle: 'Convidar pessoa',
  invitedTitle: 'Convite criado',
  email: 'Informe um e-mail válido, como nome@exemplo.com.br.',
  role: 'Escolha o que a pessoa pode fazer.',
  roleLabel: 'papel',
  tooMany: 'Muitos convites em pouco tempo. Espere uma hora e tente de novo.',
  remove: {
    other: {
      title: 'Remover pessoa',
      question: (email: string) => `Remover ${email} da empresa?`,
      button: 'Remover',
    },
    self: {
      title: 'Sair da empresa',
      question: () => 'Deixar de fazer parte da empresa?',
      button: 'Sair da empresa',
    },
    consequences: [
      'O acesso ao painel termina na hora, em todos os aparelhos.',
      'O que foi criado continua como está, e o registro guarda o que foi feito.',
      'Os convites em aberto que a pessoa fez são cancelados.',
      'Para voltar, é preciso um novo convite.',
    ],
  },
} as const
