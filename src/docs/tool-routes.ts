// What tools and agents read, without a key: the OpenAPI document as JSON and YAML, and llms.txt. The document
// does not change while the program runs, so each is written once.
import type { FastifyInstance } from 'fastify'
import { getOpenApiDocument } from '../http/openapi/document.ts'
import { memoizeValue } from '../record.ts'
import { DOCS_PATH } from './guides.ts'
import { writeLlmsText } from './llms.ts'

const CACHE = 'public, max-age=300'
const HIDDEN = { schema: { hide: true } }

export async function toolRoutes(app: FastifyInstance, { baseUrl }: { baseUrl: string }) {
  app.get('/api/openapi.json', HIDDEN, (_request, reply) => {
    // The reference reads it too, whose page is of no origin.
    reply.header('access-control-allow-origin', '*')
    return app.swagger()
  })

  serveOnce('/api/openapi.yaml', 'application/yaml', () => app.swagger({ yaml: true }))
  for (const path of ['/llms.txt', `${DOCS_PATH}/llms.txt`])
    serveOnce(path, 'text/plain', () => writeLlmsText(getOpenApiDocument(app), baseUrl))

  function serveOnce(path: string, type: string, write: () => string) {
    const getWritten = memoizeValue(write)
    app.get(path, HIDDEN, (_request, reply) => {
      reply.type(`${type}; charset=utf-8`).header('cache-control', CACHE)
      return reply.send(getWritten())
    })
  }
}
