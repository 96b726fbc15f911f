// The headers of every answer: no guessing of its type, no storing unless the answer allows it, and https only once the
// service is reached by https.
import type { FastifyInstance } from 'fastify'

const YEAR_S = 31_536_000

export const PLAIN_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

export function buildSecurityHeaders(baseUrl: string) {
  const secure = baseUrl.startsWith('https:')
  return {
    ...PLAIN_HEADERS,
    ...(secure && { 'strict-transport-security': `max-age=${YEAR_S}` }),
  }
}

export function setSecurityHeaders(app: FastifyInstance, baseUrl: string) {
  const headers = buildSecurityHeaders(baseUrl)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
