export const openPixTexts = {
  appId: 'Copie o AppID inteiro, como a Woovi o mostra ao criar a API.',
  appIdRefused:
    'A Woovi recusou o AppID. Copie-o de novo em API/Plugins e confira se ele é deste ambiente.',
  noScope:
    'Este AppID não tem permissão para isto, ou só aceita outros endereços IP. Libere na Woovi os escopos de cobranças, reembolsos, transações, disputas e webhooks.',
  tooMany: 'A Woovi limitou as consultas desta conta. Aguarde um minuto e teste de novo.',
  unreachable: 'Não foi possível chegar à Woovi. Confira a saída para a internet deste servidor.',
  noAnswer: 'A Woovi não respondeu a tempo ou respondeu algo inesperado. Tente novamente.',
  refundOf: (endToEndId: string) => `Devolução do Pix ${endToEndId}`,
  said: (reason: string, woovi: string) => `${reason} A Woovi respondeu: “${woovi}”`,
} as const
