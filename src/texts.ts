// The Portuguese texts that several rooms use. Texts of one room are in its `texts.ts`, those of one page in its view.
import { countOf, formatBrl, formatBytes, formatCount } from './format.ts'

export const texts = {
  unauthorized: 'Chave de API inválida ou ausente.',
  metricsUnauthorized: 'Token de métricas inválido ou ausente.',
  rateLimited: 'Limite de requisições excedido. Tente novamente em instantes.',
  invalidJson: 'O corpo da requisição não é um JSON válido.',
  invalidUrl: 'O endereço da requisição não é válido.',
  invalidEncoding: 'O corpo da requisição não está em UTF-8.',
  invalidRequest: 'A requisição não é HTTP válido.',
  hostMissing: 'Envie o cabeçalho Host.',
  requestTimeout: 'A requisição demorou demais para chegar. Tente novamente.',
  headersTooLarge: 'Os cabeçalhos e o endereço da requisição excedem o limite de 16 KB.',
  cookiesTooLarge:
    'O navegador enviou mais de 16 KB com este endereço. Apague os cookies deste site e tente novamente.',
  expectationFailed: 'O cabeçalho Expect só pode ser 100-continue.',
  yes: 'Sim',
  no: 'Não',
  notFound: 'Recurso não encontrado.',
  nothingHere: 'Não há nada neste endereço.',
  linkNotFound: 'Link de pagamento não encontrado.',
  methodNotAllowed: 'Método não permitido.',
  payloadTooLarge: 'O que foi enviado é grande demais.',
  bodyTooLarge: (max: number) => `O corpo da requisição excede o limite de ${formatBytes(max)}.`,
  unsupportedMediaType: 'Use Content-Type: application/json.',
  formExpected: 'Use Content-Type: multipart/form-data.',
  unsupportedCharset: 'Envie o corpo em UTF-8.',
  unsupportedEncoding: 'Envie o corpo sem compressão, sem o cabeçalho Content-Encoding.',
  moreFields: (n: number) => `Mais ${countOf(n, 'campo')} em errors.`,
  internal: 'Erro interno. Tente novamente; se persistir, informe o código do erro.',
  unavailable: 'Serviço temporariamente indisponível.',
  tooManyTables: (max: number) =>
    max === 1
      ? 'Baixe uma planilha do Excel por vez. Espere ela terminar e tente novamente.'
      : `Baixe no máximo ${max} tabelas ao mesmo tempo. Espere uma terminar e tente novamente.`,
  tooManyRows: (max: number) =>
    `Uma planilha do Excel leva até ${formatCount(max)} linhas, e aqui há mais. Filtre menos dias, ou baixe em CSV, que leva todas.`,
  crossSite: 'Este envio veio de outro site e foi recusado.',
  insufficientScope: (scope: string) =>
    `Esta chave não tem permissão para isto. Use uma chave com o escopo ${scope}.`,
  ipNotAllowed:
    'Esta chave não aceita chamadas deste endereço IP. Chame de um endereço permitido, ou mude os endereços da chave no painel.',
  cardDataRefused:
    'Dados de cartão não são aceitos aqui. O pagador os informa apenas na página de pagamento.',
  nestedTooDeeply: (max: number) =>
    `O corpo tem listas e objetos demais uns dentro dos outros. Use no máximo ${max} níveis.`,

  idempotency: {
    required: 'Envie o cabeçalho Idempotency-Key, para que a operação não se repita.',
    shape: 'Use de 1 a 255 caracteres ASCII visíveis.',
    mismatch: 'Esta chave de idempotência já foi usada com outro conteúdo.',
    inProgress: 'A primeira requisição com esta chave de idempotência ainda está em andamento.',
  },

  fields: {
    required: 'Campo obrigatório.',
    unknown: 'Campo desconhecido.',
    readOnly: 'Só as respostas têm este campo, e ele não pode ser escolhido. Retire-o do corpo.',
    wholeNumber: 'Informe um número inteiro.',
    text: 'Informe um texto.',
    single: 'Informe um só valor.',
    boolean: 'Informe true ou false.',
    list: 'Informe uma lista.',
    object: 'Informe um objeto.',
    body: 'Envie um objeto JSON no corpo da requisição.',
    oneOf: (values: readonly unknown[]) => `Use um destes valores: ${values.join(', ')}.`,
    tooShort: (min: number) => `Informe ao menos ${boundOf(min, 'caractere')}.`,
    tooLong: (max: number) => `Use no máximo ${boundOf(max, 'caractere')}.`,
    tooFew: (min: number) => `Informe ao menos ${boundOf(min, 'item', 'itens')}.`,
    tooMany: (max: number) => `Informe no máximo ${boundOf(max, 'item', 'itens')}.`,
    tooSmall: (min: number | bigint) => `O valor mínimo é ${min}.`,
    tooBig: (max: number | bigint) => `O valor máximo é ${max}.`,
    controlCharacters: 'Remova os caracteres de controle ou invisíveis deste texto.',
    repeated: 'Não repita valores.',
    instant: 'Informe uma data ISO 8601 com fuso (ex.: 2026-12-31T23:59:59Z).',
    instantInAddress:
      'Num endereço, o + do fuso se escreve %2B (ex.: 2026-12-31T23:59:59%2B01:00).',
    uuid: 'Informe um UUID válido.',
    url: 'Informe um endereço completo, que começa com https://.',
    email: 'Informe um e-mail válido.',
    format: 'Este valor não tem o formato esperado.',
    linkName: 'Informe o id ou o slug de um link.',
    cursor: 'Cursor inválido. Use o nextCursor da página anterior, com os mesmos filtros.',
    limit: 'Informe um número inteiro de 1 a 100.',
    taxId: 'Informe um CPF ou CNPJ válido.',
    phone:
      'Informe um telefone com DDD, como (11) 98765-4321. O de outro país começa com + e o código dele.',
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
    /** The whole amount is held only for a declined card. */
    amountDiffers: (received: number, expected: number) =>
      received === expected
        ? `O cartão foi recusado, mas o provedor cobrou ${formatBrl(received)} e não os devolveu.`
        : `O valor recebido (${formatBrl(received)}) difere do cobrado (${formatBrl(expected)}).`,
    unreadable:
      'O provedor diz que foi pago, mas não mostra o que entrou de um modo que se possa ler.',
  },

  errorPages: {
    404: 'Página não encontrada',
    409: 'Algo mudou',
    429: 'Muitas tentativas',
    500: 'Algo deu errado',
    503: 'Voltamos já',
    other: 'Não foi possível continuar',
  },

  layout: {
    lang: 'pt-BR',
    ogLocale: 'pt_BR',
    testMode: 'MODO DE TESTE',
    noCharge: 'nenhuma cobrança real',
    questions: 'Dúvidas sobre esta cobrança?',
    processedBy: 'Pagamento processado com Vintém',
    report: 'Denunciar este link',
    languages: 'Idioma',
    requestCode: 'Código do erro:',
  },

  urls: {
    invalid_url: 'Informe uma URL completa (ex.: https://loja.com.br/webhooks).',
    too_long: 'Use no máximo 2048 caracteres.',
    https_only: 'Use uma URL https.',
    credentials: 'Remova o usuário e a senha da URL.',
    private_address: 'Este endereço não é público. Use um servidor acessível pela internet.',
  },
  tooManyAttempts: 'Muitas tentativas em pouco tempo. Aguarde um minuto e tente novamente.',
  paidAt: (day: string, time: string) => `${day} às ${time} (horário de Brasília)`,
  roles: {
    owner: 'Proprietário',
    finance: 'Financeiro',
    member: 'Membro',
    accountant: 'Contador',
  },
  methods: { pix: 'Pix', credit_card: 'Cartão de crédito' },
} as const

/** Counts without a number format, because schemas are created at start, when a format would be too expensive. */
function boundOf(n: number, one: string, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`
}

/** The same keys with other texts, for a translation. */
export type Translated<Texts> = Texts extends string
  ? string
  : Texts extends (...given: infer Given) => infer Said
    ? (...given: Given) => Translated<Said>
    : { readonly [Name in keyof Texts]: Translated<Texts[Name]> }

/** The texts around every page of the checkout, and around error pages. */
export type LayoutTexts = Translated<typeof texts.layout>
