// The headers of answers, as the document tells them: what each says, and which answers have it.
import type { Components } from './types.ts'

/** The day of its last change, which the guide of changes tells. Clients need not send it: changes only add. */
export const API_VERSION = '2026-11-29'

export const RESPONSE_HEADERS: Components['headers'] = {
  'X-Request-Id': {
    description: 'O id desta requisição, que está também no registro do serviço.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'API-Version': {
    description: 'A data da última mudança da API.',
    schema: { type: 'string', format: 'date', examples: [API_VERSION] },
  },
  'RateLimit-Limit': {
    description: 'Quantas requisições esta chave pode fazer em 60 segundos.',
    schema: { type: 'integer', examples: [100] },
  },
  'RateLimit-Remaining': {
    description: 'Quantas delas restam.',
    schema: { type: 'integer', examples: [99] },
  },
  'RateLimit-Reset': {
    description: 'Segundos até estarem livres todas; num 429, até a próxima.',
    schema: { type: 'integer', examples: [60] },
  },
  'RateLimit-Policy': {
    description:
      'O limite, como o rascunho da IETF o escreve: quantas (`q`) em quantos segundos (`w`).',
    schema: { type: 'string', examples: ['"key";q=100;w=60'] },
  },
  RateLimit: {
    description: 'Quantas restam (`r`), e segundos (`t`) como em `RateLimit-Reset`.',
    schema: { type: 'string', examples: ['"key";r=99;t=60'] },
  },
  'Retry-After': {
    description: 'Quantos segundos esperar até a próxima tentativa.',
    required: true,
    schema: { type: 'integer', examples: [12] },
  },
  Location: {
    description: 'O endereço do que foi feito, se ele tem um.',
    schema: {
      type: 'string',
      examples: ['/api/payment-links/019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'],
    },
  },
  'Content-Disposition': {
    description: 'Com que nome o arquivo é salvo.',
    required: true,
    schema: {
      type: 'string',
      examples: ['attachment; filename="transacoes.csv"', 'inline; filename="qr-bolo.svg"'],
    },
  },
  'Idempotent-Replayed': {
    description: '`true` quando é a resposta a uma requisição anterior com a mesma chave.',
    schema: { type: 'string', examples: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'Sempre `Bearer`.',
    schema: { type: 'string', examples: ['Bearer'] },
  },
}

const LIMIT_HEADERS = Object.keys(RESPONSE_HEADERS).filter((name) => name.startsWith('RateLimit'))

/** What one of the refusals of a status brings, and others of that status do not. */
export const REFUSAL_HEADERS: Record<number, Components['headers']> = {
  409: {
    'Retry-After': {
      description: 'Com `idempotency_in_progress`: quantos segundos esperar até repetir.',
      schema: { type: 'integer', examples: [1] },
    },
    Location: {
      description: 'Com `customer_exists`: o endereço do cliente que tem este documento.',
      schema: { type: 'string', examples: ['/api/customers/019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'] },
    },
  },
  415: {
    'Accept-Encoding': {
      description: 'Com `unsupported_encoding`: sempre `identity`.',
      schema: { type: 'string', examples: ['identity'] },
    },
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
