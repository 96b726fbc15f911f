export const malgaTexts = {
  profile: {
    name: 'Malga',
    about:
      'Cartão de crédito em até 12x no adquirente que a empresa já tem: Cielo, Rede, Getnet, Stone e outros. Os juros são os seus, e o dinheiro cai no adquirente.',
    answerDisputesAt: 'Responda no portal do adquirente que processou o pagamento.',
    credentials:
      'É preciso ter contrato com a Malga e com um adquirente. No painel da Malga, cadastre o adquirente numa subconta com o 3-D Secure 2 ativo, e copie o Client ID, a chave de API (secreta) e o ID da subconta. Pergunte à Malga quais dos seus adquirentes aceitam o 3-D Secure dela.',
  },
  fields: {
    clientId: 'Client ID',
    apiKey: 'Chave de API',
    merchantId: 'ID da subconta (merchantId)',
    baseUrl: 'Endereço da API da Malga',
    baseUrlHint: 'Em branco, o da Malga para este ambiente.',
  },
  notifications: {
    text: 'A Malga avisa aqui de pagamentos, devoluções e contestações. O endereço é registrado quando você começa a usar a conta; registre de novo se apagar os webhooks na Malga.',
    onChoice: 'Ao confirmar, registramos na Malga o endereço onde ela avisa de cada pagamento.',
  },
  steps: { read: 'Consultar cobranças pelo nosso número', webhook: 'Permissão de notificações' },
  key: 'Copie o identificador inteiro, como a Malga o mostra.',
  merchantId: 'O ID da subconta tem o formato 3fa85f64-5717-4562-b3fc-2c963f66afa6.',
  noMerchant: 'A Malga não conhece esta subconta. Copie o ID dela no painel, em Subcontas.',
  keyRefused:
    'A Malga recusou as credenciais. Copie de novo o Client ID e a chave de API e confira se são deste ambiente.',
  keyForbidden:
    'Esta chave não tem permissão para isto. Use uma chave secreta com acesso a subcontas, tokens, cobranças e webhooks.',
  ignoresOrderId:
    'A Malga não filtra as cobranças pelo nosso número: sem isso, um pagamento cuja resposta se perde não seria encontrado. Peça à Malga que o ative nesta conta.',
  noKeys:
    'A Malga não mostra as chaves com que assina os avisos. Os pagamentos são encontrados por consulta, com algum atraso.',
  tooMany: 'A Malga limitou as consultas desta conta. Aguarde um minuto e teste de novo.',
  unreachable: 'Não foi possível chegar à Malga. Confira a saída para a internet deste servidor.',
  noAnswer: 'A Malga não respondeu a tempo ou respondeu algo inesperado. Tente novamente.',
  strangeAnswer: (status: number) =>
    `A Malga deu uma resposta inesperada (${status}). Tente novamente em instantes.`,
} as const
