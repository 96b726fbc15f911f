// Every Portuguese sentence that code produces. Sentences that only a page shows live in its view.
import { formatBrl } from './format.ts'

export const texts = {
  unauthorized: 'Chave de API inválida ou ausente.',
  rateLimited: 'Limite de requisições excedido. Tente novamente em instantes.',
  invalidJson: 'O corpo da requisição não é um JSON válido.',
  invalidUrl: 'O endereço da requisição não é válido.',
  invalidHeaders: 'A requisição não é válida.',
  notFound: 'Recurso não encontrado.',
  linkNotFound: 'Link de pagamento não encontrado.',
  methodNotAllowed: 'Método não permitido.',
  payloadTooLarge: 'O corpo da requisição excede o limite de 64 KB.',
  unsupportedMediaType: 'Use Content-Type: application/json.',
  invalidFields: 'Dados inválidos. Verifique os campos informados.',
  internal: 'Erro interno. Tente novamente; se persistir, informe o código da requisição.',
  unavailable: 'Serviço temporariamente indisponível.',
  crossSite: 'Este envio veio de outro site e foi recusado.',
  insufficientScope: (scope: string) =>
    `Esta chave não tem permissão para isto. Use uma chave com o escopo ${scope}.`,
  cardDataRefused:
    'Dados de cartão não são aceitos aqui. O pagador os informa apenas na página de pagamento.',

  idempotency: {
    required: 'Envie o cabeçalho Idempotency-Key, para que a operação não se repita.',
    shape: 'Use de 1 a 255 caracteres ASCII visíveis.',
    mismatch: 'Esta chave de idempotência já foi usada com outro conteúdo.',
    inProgress: 'A primeira requisição com esta chave de idempotência ainda está em andamento.',
  },

  fields: {
    required: 'Campo obrigatório.',
    unknown: 'Campo desconhecido.',
    wholeNumber: 'Informe um número inteiro.',
    text: 'Informe um texto.',
    list: 'Informe uma lista.',
    object: 'Informe um objeto.',
    oneOf: (values: readonly unknown[]) => `Use um destes valores: ${values.join(', ')}.`,
    tooShort: (min: number) => `Informe ao menos ${count(min, 'caractere')}.`,
    tooLong: (max: number) => `Use no máximo ${count(max, 'caractere')}.`,
    tooFew: (min: number) => `Informe ao menos ${count(min, 'item', 'itens')}.`,
    tooMany: (max: number) => `Informe no máximo ${count(max, 'item', 'itens')}.`,
    tooSmall: (min: number | bigint) => `O valor mínimo é ${min}.`,
    tooBig: (max: number | bigint) => `O valor máximo é ${max}.`,
    controlCharacters: 'Remova os caracteres de controle ou invisíveis deste texto.',
    repeated: 'Não repita valores.',
    instant: 'Informe uma data ISO 8601 com fuso (ex.: 2026-12-31T23:59:59Z).',
    uuid: 'Informe um UUID válido.',
    cursor: 'Cursor inválido. Use o valor de nextCursor da página anterior.',
    limit: 'Informe um número inteiro de 1 a 100.',
  },

  links: {
    cents: 'Informe um número inteiro em centavos (ex.: 1990 para R$ 19,90).',
    minAmount: (cents: number) => `O valor mínimo é ${formatBrl(cents)} (${cents} centavos).`,
    maxAmount: (cents: number) => `O valor máximo é ${formatBrl(cents)} (${cents} centavos).`,
    pixOnce: 'Para links somente Pix, maxInstallments deve ser 1.',
    installments: 'Informe de 1 a 12 parcelas.',
    redirectUrl:
      'Informe uma URL https completa, sem usuário nem senha (ex.: https://loja.com.br/obrigado).',
    expiresAt: 'Informe uma data futura, em no máximo um ano.',
    customerNotFound: 'Cliente não encontrado.',
    metadataTooMany: 'Informe no máximo 20 pares.',
    metadataTooBig: 'Os pares passam de 12 kB ao todo. Envie menos ou mais curtos.',
    archived: 'Este link foi arquivado e não pode mais ser alterado. Duplique-o para criar outro.',
    stillComplete: (paid: number) =>
      `Este link já recebeu ${count(paid, 'pagamento')}. Envie um maxPayments maior que ${paid}, ou null, para reativá-lo.`,
    stillExpired: 'Este link expirou. Envie também um expiresAt futuro, ou null, para reativá-lo.',
    csv: {
      name: 'links-de-pagamento.csv',
      id: 'ID',
      slug: 'Código',
      url: 'Endereço',
      title: 'Título',
      description: 'Descrição',
      amount: 'Valor (R$)',
      methods: 'Formas de pagamento',
      maxInstallments: 'Parcelas',
      interest: 'Juros',
      status: 'Situação',
      tags: 'Etiquetas',
      externalReference: 'Referência externa',
      maxPayments: 'Limite de pagamentos',
      expiresAt: 'Expira em',
      createdAt: 'Criado em',
      updatedAt: 'Alterado em',
    },
    statuses: {
      active: 'Ativo',
      inactive: 'Inativo',
      expired: 'Expirado',
      completed: 'Concluído',
      archived: 'Arquivado',
    },
    interest: { absorb: 'Por conta da empresa', pass_to_customer: 'Por conta do pagador' },
    methods: { pix: 'Pix', credit_card: 'Cartão de crédito' },
  },

  customers: {
    notFound: 'Cliente não encontrado.',
    exists: 'Já existe um cliente com este CPF ou CNPJ. O cabeçalho Location aponta para ele.',
    email: 'Informe um e-mail válido, como nome@exemplo.com.br.',
    nameWords: 'Informe ao menos uma palavra do nome.',
    anonymous: 'Cliente removido',
  },

  checkout: {
    name: 'Informe seu nome completo.',
    taxId: 'Informe um CPF ou CNPJ válido.',
    email: 'Informe um e-mail válido, como nome@exemplo.com.br.',
    phone: 'Informe um telefone com DDD, como (11) 98765-4321.',
    method: 'Escolha como pagar.',
    card: 'Confira os dados do cartão.',
    cardNeedsScript: 'Para pagar com cartão, ative o JavaScript do navegador ou escolha Pix.',
    installments: 'Escolha uma das opções de parcelamento.',
    documentRefused: 'Não foi possível confirmar o documento. Confira o CPF ou CNPJ informado.',
    tooManyDocuments: 'Muitas tentativas em pouco tempo. Aguarde dez minutos e tente novamente.',
    quoteChanged: 'O valor deste link mudou. Confira o novo valor e confirme.',
    formExpired: 'Este formulário perdeu a validade. Confira os dados e envie novamente.',
    cardBlocked: 'Este cartão não pode ser tentado de novo. Use outro cartão ou pague com Pix.',
    busy: 'Outro pagamento deste link está em andamento. Aguarde alguns minutos e tente novamente.',
    underWay: 'Você tem um pagamento em andamento para este link.',
    seePayment: 'Ver pagamento',
    tooMany: 'Muitas tentativas em pouco tempo. Aguarde um minuto e tente novamente.',
    reportReason: 'Escolha um motivo.',
    methodUnavailable: 'Esta forma de pagamento não está disponível agora. Tente outra.',
    atSight: (total: string) => `1x de ${total} à vista`,
    interestFree: (n: number, part: string) => `${n}x de ${part} sem juros`,
    interestFreeUneven: (n: number, part: string, first: string) =>
      `${n}x de ${part} sem juros (primeira de ${first})`,
    withInterest: (n: number, part: string, total: string) =>
      `${n}x de ${part} com juros (total ${total})`,
    rateNote: (rate: string, total: string, amount: string) =>
      `Taxa de ${rate} a.m. Total a prazo ${total}; à vista ${amount}.`,
    payIn: (total: string, n: number) => (n === 1 ? `Pagar ${total}` : `Pagar ${total} em ${n}x`),
    previewTitle: (company: string) => `Pagamento para ${company}`,
    previewPix: 'Pix',
    previewCard: (n: number) => (n === 1 ? 'cartão' : `cartão em até ${n}x`),
    until: (time: string) => `até ${time}`,
    untilDay: (day: string, time: string) => `até ${day} às ${time}`,
    paidAt: (day: string, time: string) => `${day} às ${time} (horário de Brasília)`,
    pix: 'Pix',
    creditCard: 'Cartão de crédito',
    refunded: (amount: string) => `${amount} devolvidos.`,
    receiptText: (company: string, title: string, total: string, url: string) =>
      `Comprovante de pagamento para ${company}: ${title}, ${total}. ${url}`,
  },

  declines: {
    generic: 'Pagamento não autorizado. Fale com o seu banco ou pague com Pix.',
    insufficient_funds: 'Saldo ou limite insuficiente. Tente outro cartão ou pague com Pix.',
    expired_card: 'Cartão vencido ou validade incorreta.',
    invalid_card: 'Número de cartão inválido. Confira os dados ou use outro cartão.',
    invalid_cvv: 'Código de segurança incorreto.',
    suspected_fraud: 'Transação não autorizada por segurança. Fale com o seu banco.',
    lost_or_stolen: 'Pagamento não autorizado. Fale com o seu banco ou pague com Pix.',
    not_permitted: 'Este cartão não permite esta compra. Use outro cartão ou pague com Pix.',
    invalid_installments: 'Este cartão não aceita esse número de parcelas. Escolha outro.',
    attempts_exceeded:
      'Número de tentativas excedido neste cartão. Use outro cartão ou pague com Pix.',
    threeds_failed: 'Não foi possível confirmar sua identidade.',
    provider_error: 'Serviço indisponível. Tente novamente em instantes.',
  },

  holds: {
    amountDiffers: (received: number, expected: number) =>
      `O valor recebido (${formatBrl(received)}) difere do cobrado (${formatBrl(expected)}).`,
  },

  transactions: {
    notFound: 'Transação não encontrada.',
    statuses: {
      pending: 'Aguardando pagamento',
      awaiting_authentication: 'Aguardando confirmação do banco',
      processing: 'Em processamento',
      approved: 'Aprovada',
      declined: 'Recusada',
      expired: 'Expirada',
      canceled: 'Cancelada',
      partially_refunded: 'Reembolsada em parte',
      refunded: 'Reembolsada',
      charged_back: 'Contestada',
    },
    columns: {
      createdAt: 'Criada em',
      approvedAt: 'Paga em',
      linkSlug: 'Link',
      linkTitle: 'Título',
      payer: 'Pagador',
      taxId: 'CPF/CNPJ',
      method: 'Forma de pagamento',
      installments: 'Parcelas',
      amount: 'Valor',
      interest: 'Juros',
      total: 'Total',
      refunded: 'Reembolsado',
      status: 'Situação',
      hold: 'Retida por',
      instrument: 'Cartão ou id do Pix (E2E)',
      externalReference: 'Referência externa',
      id: 'Id',
      testMode: 'Teste',
    },
    cardEnding: (brand: string, last4: string) => `${brand} final ${last4}`,
    yes: 'Sim',
    no: 'Não',
  },

  refunds: {
    amount: 'Informe um número inteiro em centavos, de ao menos 1 (ex.: 500 para R$ 5,00).',
    tooMuch: (leftCents: number) =>
      `Restam ${formatBrl(leftCents)} (${leftCents} centavos) a reembolsar.`,
    underWay: 'Há reembolsos em andamento que somam todo o valor. Aguarde o resultado deles.',
    notRefundable: (status: string) =>
      `Só transações approved ou partially_refunded podem ser reembolsadas; esta está ${status}.`,
    held: 'Esta transação está retida porque o valor recebido difere do cobrado. Devolva o valor recebido diretamente pelo provedor de pagamento.',
    tooLate: (days: number) =>
      `Um Pix só pode ser devolvido em até ${days} dias após o pagamento. Combine outra forma de devolução com o pagador.`,
    failures: {
      refused: 'O provedor de pagamento recusou o reembolso.',
      insufficient_balance: 'Não há saldo suficiente na conta para o reembolso.',
    },
  },

  setUp: {
    code: 'Confira o código de configuração que a primeira execução imprimiu.',
    companyName: 'Informe o nome da empresa.',
    email: 'Informe um e-mail válido, como nome@exemplo.com.br.',
    password: 'Escolha uma senha de 10 a 128 caracteres.',
  },

  errorPages: {
    404: 'Página não encontrada',
    409: 'Algo mudou',
    429: 'Muitas tentativas',
    500: 'Algo deu errado',
    503: 'Voltamos já',
    other: 'Não foi possível continuar',
  },

  webhooks: {
    url: {
      invalid_url: 'Informe uma URL completa (ex.: https://loja.com.br/webhooks).',
      too_long: 'Use no máximo 2048 caracteres.',
      https_only: 'Use uma URL https.',
      credentials: 'Remova o usuário e a senha da URL.',
      private_address: 'Este endereço não é público. Use um servidor acessível pela internet.',
    },
    eventNotFound: 'Evento não encontrado.',
    endpointNotFound: 'Endpoint não encontrado.',
    endpointDisabled: 'Este endpoint está desativado. Reative-o para enviar eventos.',
    tooOld: (days: number) =>
      `Este evento tem mais de ${days} dias e não pode mais ser reenviado. Consulte a transação pela API.`,
    tooManyEndpoints: (max: number) => `Use no máximo ${max} endpoints por empresa.`,
    notResendable:
      'Esta entrega está em andamento ou seu endpoint está desativado. Tente novamente depois.',
    secretUnreadable:
      'O segredo deste endpoint não pôde ser lido com a SECRET_KEY atual. Gere um novo segredo.',
  },
} as const

function count(n: number, one: string, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`
}
