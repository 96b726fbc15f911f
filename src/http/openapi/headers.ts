// The headers of answers, as the document tells them: what each says, and which answers have it.
/** The day of its last change, which the guide of changes tells. Clients need not send it: changes only add. */
export const API_VERSION = '2026-11-29'

const EXAMPLE_ID = '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'

function describeHeader(description: string, example: string | number) {
  const type = typeof example === 'number' ? 'integer' : 'string'
  return { description, schema: { type, examples: [example] } }
}

/** One that each answer has which names it. */
function describeSureHeader(description: string, example: string | number) {
  return { ...describeHeader(description, example), required: true }
}

export const RESPONSE_HEADERS = {
  'X-Request-Id': describeSureHeader(
    'O id desta requisição, que está também no registro do serviço.',
    EXAMPLE_ID,
  ),
  'API-Version': describeHeader('A data da última mudança da API.', API_VERSION),
  'RateLimit-Limit': describeHeader(
    'Quantas requisições esta chave pode fazer em 60 segundos.',
    100,
  ),
  'RateLimit-Remaining': describeHeader('Quantas delas restam.', 99),
  'RateLimit-Reset': describeHeader(
    'Segundos até estarem livres todas; num 429, até a próxima.',
    60,
  ),
  'RateLimit-Policy': describeHeader(
    'O limite, como o rascunho da IETF o escreve: quantas (`q`) em quantos segundos (`w`).',
    '"key";q=100;w=60',
  ),
  RateLimit: describeHeader(
    'Quantas restam (`r`), e segundos (`t`) como em `RateLimit-Reset`.',
    '"key";r=99;t=60',
  ),
  'Retry-After': describeSureHeader('Quantos segundos esperar até a próxima tentativa.', 12),
  Location: describeHeader(
    'O endereço do que foi feito, se ele tem um.',
    `/api/payment-links/${EXAMPLE_ID}`,
  ),
  'Content-Disposition': describeSureHeader(
    'Com que nome o arquivo é salvo.',
    'attachment; filename="transacoes.csv"',
  ),
  'Idempotent-Replayed': describeHeader(
    '`true` quando é a resposta a uma requisição anterior com a mesma chave.',
    'true',
  ),
  'WWW-Authenticate': describeHeader('Sempre `Bearer`.', 'Bearer'),
}

const LIMIT_HEADERS = Object.keys(RESPONSE_HEADERS).filter((name) => name.startsWith('RateLimit'))

/** What one of the refusals of a status brings, and others of that status do not. */
export const REFUSAL_HEADERS: Record<number, Record<string, object>> = {
  409: {
    'Retry-After': describeHeader(
      'Com `idempotency_in_progress`: quantos segundos esperar até repetir.',
      1,
    ),
    Location: describeHeader(
      'Com `customer_exists`: o endereço do cliente que tem este documento.',
      `/api/customers/${EXAMPLE_ID}`,
    ),
  },
  415: {
    'Accept-Encoding': describeHeader('Com `unsupported_encoding`: sempre `identity`.', 'identity'),
  },
}

export function buildHeaderRefs(status: number, { isRepeatable = false, isFile = false } = {}) {
  const names = [
    'X-Request-Id',
    // What refuses before the API is reached does not know its version.
    ...(status < 400 ? ['API-Version'] : []),
    // Requests are counted once it is known whose they are.
    ...(status === 401 ? ['WWW-Authenticate'] : LIMIT_HEADERS),
    ...(status === 201 || status === 202 ? ['Location'] : []),
    ...(isFile ? ['Content-Disposition'] : []),
    ...(isRepeatable ? ['Idempotent-Replayed'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
