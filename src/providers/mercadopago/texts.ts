export const mercadoPagoTexts = {
  profile: {
    name: 'Mercado Pago',
    about:
      'Pix e cartão de crédito em até 12x. O dinheiro cai na conta do Mercado Pago, que define os juros do parcelamento.',
    answerDisputesAt: 'Envie os documentos em mercadopago.com.br, em Atividade › Contestações.',
    credentials:
      'Em mercadopago.com.br, abra Suas integrações e crie uma aplicação com o Checkout Transparente. Em Credenciais, copie a Public Key e o Access Token. Em Webhooks, cole o endereço das notificações que está nesta página, marque os eventos Order (Mercado Pago) e Chargebacks e copie a assinatura secreta.',
  },
  fields: {
    publicKey: 'Public Key',
    accessToken: 'Access Token',
    webhookSecret: 'Assinatura secreta dos webhooks',
    testUser: 'São credenciais de um usuário de teste',
    testUserHint: 'Começam com APP_USR, mas nada é cobrado. As que começam com TEST já são.',
    baseUrl: 'Endereço da API do Mercado Pago',
  },
  notifications: {
    text: 'Cole este endereço em Suas integrações › Webhooks e marque dois eventos: Order (Mercado Pago), que avisa de pagamentos, e Chargebacks, que avisa de contestações.',
    onChoice:
      'Confira se este endereço está em Suas integrações › Webhooks, com os eventos Order (Mercado Pago) e Chargebacks marcados.',
    byHand:
      'There, in Suas integrações > Webhooks, tick two events: Order (Mercado Pago) and Chargebacks.',
  },
  steps: { read: 'Consultar pedidos', webhook: 'Permissão de notificações' },
  key: 'Copie a credencial inteira: começa com APP_USR- ou TEST-.',
  mixedKeys:
    'O Access Token e a Public Key são de ambientes diferentes. Use as duas credenciais de teste ou as duas de produção.',
  keyRefused:
    'O Mercado Pago recusou o Access Token. Copie-o de novo em Suas integrações > Credenciais.',
  keyForbidden:
    'Este Access Token não tem permissão para isto. Confira em Suas integrações se a aplicação usa o Checkout Transparente.',
  tooMany: 'O Mercado Pago limitou as consultas desta conta. Aguarde um minuto e teste de novo.',
  unreachable:
    'Não foi possível chegar ao Mercado Pago. Confira a saída para a internet deste servidor.',
  noAnswer:
    'O Mercado Pago não respondeu a tempo ou respondeu algo inesperado. Tente novamente em instantes.',
  strangeAnswer: (status: number) =>
    `O Mercado Pago deu uma resposta inesperada (${status}). Tente novamente em instantes.`,
  noCards: 'Esta conta do Mercado Pago não recebe cartões de crédito.',
} as const
