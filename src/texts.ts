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
