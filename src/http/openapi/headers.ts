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
    description: 'O endereço do que foi criado.',
    required: true,
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

export function buildHeaderRefs(
  status: number,
  { repeatable, located, isFile }: { repeatable: boolean; located: boolean; isFile: boolean },
) {
  const names = [
    'X-Request-Id',
    // What refuses before the API is reached does not know its version.
    ...(status < 400 ? ['API-Version'] : []),
    // Nobody's requests are counted before it is known whose they are.
    ...(status === 401 ? [] : LIMIT_HEADERS),
    ...(located ? ['Location'] : []),
    ...(isFile ? ['Content-Disposition'] : []),
    ...(repeatable ? ['Idempotent-Replayed'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const LIMIT_HEADERS = Object.keys(RESPONSE_HEADERS).filter((name) => name.startsWith('RateLimit'))
