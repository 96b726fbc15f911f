export const transactionPageTexts = {
  badges: {
    held: 'Retido',
    overpaid: 'Valor a mais',
    duplicate: 'Talvez repetido',
    returned: 'Devolvido',
  },
  methods: { pix: 'Pix', credit_card: 'Cartão' },
  incoming: { pix: 'Pix recebidos', credit_card: 'Cobranças pagas' },
  allStatuses: 'Todos',
  allMethods: 'Todos',
  noun: ['pagamento', 'pagamentos'],
  part: (n: number, part: string) => `${n}x de ${part}`,
  firstPart: (first: string) => `primeira de ${first}`,
  feeSources: { company: 'informada pela empresa', provider: 'informada pelo provedor' },
  reported: {
    paid: 'Pago em, segundo o provedor',
    opened: 'Contestado em, segundo o provedor',
    closed: 'Contestação encerrada em, segundo o provedor',
  },
} as const

export const disputePageTexts = {
  title: 'Contestações',
  allStatuses: 'Todas',
} as const

export const refundPageTexts = {
  titles: { form: 'Devolver pagamento', confirm: 'Conferir a devolução' },
  changed: 'O que resta a devolver mudou enquanto isso. Confira o valor e envie de novo.',
  underWay: 'As devoluções em andamento já somam todo o valor. Aguarde o resultado delas.',
  notRefundable: 'Este pagamento não pode ser devolvido no estado em que está.',
  otherAmount: (amount: string) =>
    `Este formulário já foi usado para devolver ${amount}. Confira o que falta e envie de novo.`,
  refused: (amount: string, why: string) => `A devolução de ${amount} não foi feita. ${why}`,
  statuses: { pending: 'Em andamento', succeeded: 'Devolvido', failed: 'Não realizada' },
  upTo: (left: string, surplus: string | null) =>
    surplus
      ? `Até ${left}. Voltam primeiro ${surplus} que entraram a mais, depois o valor da venda.`
      : `Até ${left}. Pode ser só uma parte.`,
  question: (amount: string, payer: string) => `Devolver ${amount} para ${payer}?`,
  goesBack: {
    pix: (amount: string, payer: string) =>
      `${amount} voltam para ${payer}, na conta de onde o Pix saiu, em geral em instantes.`,
    credit_card: (amount: string, payer: string, card: string) =>
      `${amount} voltam para ${payer} como crédito na fatura do cartão ${card}. Conforme o banco, pode levar até duas faturas.`,
  },
  fromSurplus: (surplus: string, sale: string) =>
    `${surplus} são o que entrou a mais, e ${sale} são da venda.`,
  stays: (amount: string) => `${amount} deste pagamento ficam com você.`,
  nothingStays: 'Nada deste pagamento fica com você. O link continua como está.',
  saleStays: 'É só o que entrou a mais: a venda continua como está.',
  heldIsOver: 'O pagamento retido é cancelado: ele nunca contou como recebido.',
  payerNotified: (email: string) => `${email} recebe um aviso por e-mail.`,
  reason: (reason: string) => `Motivo, só para você: ${reason}`,
  isTest: 'É um pagamento de teste: nenhum dinheiro de verdade se move.',
  final: 'Isso não pode ser desfeito.',
  button: (amount: string) => `Devolver ${amount}`,
} as const

export const unmatchedPageTexts = {
  one: 'Pix sem cobrança',
  refund: 'Devolver um Pix sem cobrança',
  match: 'Casar com um pagamento',
  noPayment:
    'Não achamos um pagamento por Pix em aberto, expirado ou cancelado, da mesma conta, com este nome.',
  matchQuestion: (amount: string, total: string, payer: string) =>
    `Casar este Pix de ${amount} com o pagamento de ${total} de ${payer}?`,
  matched: {
    equal: 'O pagamento é aprovado.',
    less: (missing: string) =>
      `Faltam ${missing}: o pagamento fica retido até que o resto entre, ou que você aceite o que entrou.`,
    more: (surplus: string) =>
      `O pagamento é aprovado, e ${surplus} são um valor a mais, que você devolve.`,
  },
  matchButton: 'Casar',
  question: (amount: string) => `Devolver ${amount} a quem pagou?`,
  consequences: ['O dinheiro volta à conta de onde veio, e isso não se desfaz.'],
  button: (amount: string) => `Devolver ${amount}`,
} as const

export const acceptTexts = {
  title: 'Aceitar o que entrou',
  question: (received: string, total: string) =>
    `Aprovar este pagamento com ${received}, em vez de ${total}?`,
  consequences: (email: string | null) => [
    'O pagamento passa a ser desse valor: nos relatórios, no comprovante e no aviso ao seu sistema.',
    ...(email ? [`O comprovante vai para ${email}.`] : []),
  ],
  later: 'O que ainda entrar pelo mesmo código Pix será um valor a mais, a devolver.',
  button: (received: string) => `Aceitar ${received}`,
  changed: (received: string) =>
    `O que entrou mudou enquanto isso: agora são ${received}. Confira e confirme de novo.`,
  checkTitle: 'Dizer quanto entrou',
  amountHint: {
    pix: (total: string) =>
      `Como está no extrato da conta, até ${total}. Escreva 0 se nada entrou, ou se você já devolveu: o pagamento é cancelado.`,
    credit_card: (total: string) =>
      `${total}, se o provedor cobrou o cartão. Escreva 0 se não cobrou: o pagamento é cancelado.`,
  },
} as const
