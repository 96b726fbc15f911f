export const ownAccountTexts = {
  title: 'Minha conta',
  wrongPassword: 'Senha incorreta.',
  others: 'Todas as outras',
  twoSteps: {
    title: 'Verificação em duas etapas',
    qr: 'QR Code para o aplicativo autenticador',
    code: 'Código incorreto. Confira o relógio do celular e digite o código que aparece agora.',
    codes: 'Códigos de recuperação',
    file: (email: string) => `Códigos de recuperação do Vintém de ${email}`,
    once: 'Cada um funciona uma única vez.',
    disable: {
      title: 'Desativar a verificação em duas etapas',
      question:
        'Para entrar, passará a bastar a senha. Confirme com um código da verificação em duas etapas.',
      button: 'Desativar',
    },
    renew: {
      title: 'Gerar novos códigos de recuperação',
      question:
        'Os códigos que você tem deixam de funcionar assim que os novos forem criados. Confirme com um código da verificação em duas etapas.',
      button: 'Gerar novos códigos',
    },
  },
} as const
