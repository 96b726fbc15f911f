export const pagarmeTexts = {
  profile: {
    name: 'Pagar.me',
    about:
      'Cartão de crédito em até 12x na página do Pagar.me, com os juros que você definiu aqui. O dinheiro cai na conta do Pagar.me.',
    answerDisputesAt: 'Envie os documentos na dash do Pagar.me, em Chargebacks.',
    credentials:
      'Na dash do Pagar.me, abra Configurações › Chaves e copie a chave secreta (sk_…; a de testes começa com sk_test_). Em Configurações › Webhooks, crie um com o endereço das notificações que está nesta página e os eventos order.paid, order.payment_failed, order.canceled, charge.paid, charge.refunded e charge.chargedback.',
  },
  fields: {
    secretKey: 'Chave secreta',
    secretKeyHint: 'A de testes começa com sk_test_: com ela nada é cobrado.',
    baseUrl: 'Endereço da API do Pagar.me',
  },
  notifications: {
    text: 'Cole este endereço em Configurações › Webhooks, na dash do Pagar.me, e marque os eventos de order e de charge. Ele é secreto: não o mostre a ninguém.',
    onChoice:
      'Confira se este endereço está em Configurações › Webhooks, na dash do Pagar.me, com os eventos de order e de charge.',
    byHand:
      'There, in Configurações > Webhooks, tick the events of order and charge. The address is secret.',
  },
  steps: {
    read: 'Criar um pedido de ensaio, em 2x com juros',
    webhook: 'Fechar o pedido de ensaio',
  },
  rehearsal: 'Teste de conexão do Vintém',
  key: 'Copie a chave secreta inteira: começa com sk_.',
  keyRefused: 'O Pagar.me recusou a chave secreta. Copie-a de novo em Configurações › Chaves.',
  keyForbidden:
    'Esta chave não tem permissão para isto. Confira na dash do Pagar.me se a conta está ativa e se há lista de IPs.',
  tooMany: 'O Pagar.me limitou as consultas desta conta. Aguarde um minuto e teste de novo.',
  unreachable:
    'Não foi possível chegar ao Pagar.me. Confira a saída para a internet deste servidor.',
  noAnswer:
    'O Pagar.me não respondeu a tempo ou respondeu algo inesperado. Tente novamente em instantes.',
  strangeAnswer: (status: number) =>
    `O Pagar.me deu uma resposta inesperada (${status}). Tente novamente em instantes.`,
  notMade: (problem: string) => `O Pagar.me não criou o pedido de ensaio: ${problem}`,
  noPage:
    'O Pagar.me criou o pedido de ensaio sem página de pagamento. Confira se o Checkout está ativo na conta.',
  otherAmount:
    'O Pagar.me mudou o total do pedido de ensaio. Pagamentos com juros ficariam retidos: fale com o Pagar.me.',
  otherInstallments:
    'O Pagar.me mudou as parcelas do pedido de ensaio: a página dele mostraria outras. Fale com o Pagar.me.',
  staysOpen:
    'O Pagar.me deixa a página aberta depois que o pedido é fechado. Ela vence sozinha em 30 minutos, e o que for pago nela até lá é aprovado.',
} as const
