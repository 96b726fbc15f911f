export const openPixTexts = {
  profile: {
    name: 'Woovi (OpenPix)',
    about:
      'Pix com um AppID, sem certificado, para quando o banco não oferece API. O dinheiro cai na conta da Woovi.',
    answerDisputesAt: 'Responda em app.woovi.com, em Disputas.',
    credentials:
      'Em app.woovi.com, abra API/Plugins e crie uma API com os escopos de cobranças, reembolsos, transações, disputas e webhooks. Copie o AppID. Para ensaiar, crie a conta e a API em app.woovi-sandbox.com e escolha Homologação.',
  },
  fields: {
    appId: 'AppID',
    baseUrl: 'Endereço da API da Woovi',
    baseUrlHint: 'Em branco, o da Woovi para este ambiente.',
  },
  notifications: {
    text: 'A Woovi avisa aqui de pagamentos, devoluções e disputas. O endereço é registrado quando você começa a usar a conta; registre de novo se apagar os webhooks na Woovi.',
    onChoice: 'Ao confirmar, registramos na Woovi o endereço onde ela avisa que um Pix foi pago.',
  },
  steps: {
    read: 'Consultar pagamentos, devoluções e disputas',
    webhook: 'Permissão de notificações',
  },
  appId: 'Copie o AppID inteiro, como a Woovi o mostra ao criar a API.',
  keyRefused:
    'A Woovi recusou o AppID. Copie-o de novo em API/Plugins e confira se ele é deste ambiente.',
  keyForbidden:
    'Este AppID não tem permissão para isto, ou só aceita outros endereços IP. Libere na Woovi os escopos de cobranças, reembolsos, transações, disputas e webhooks.',
  tooMany: 'A Woovi limitou as consultas desta conta. Aguarde um minuto e teste de novo.',
  unreachable: 'Não foi possível chegar à Woovi. Confira a saída para a internet deste servidor.',
  noAnswer: 'A Woovi não respondeu a tempo ou respondeu algo inesperado. Tente novamente.',
  refundOf: (endToEndId: string) => `Devolução do Pix ${endToEndId}`,
  said: (reason: string, woovi: string) => `${reason} A Woovi respondeu: “${woovi}”`,
} as const
