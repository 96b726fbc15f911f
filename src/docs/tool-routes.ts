// What tools and agents read, without a key: the OpenAPI document as JSON and YAML, and llms.txt. None of them
// changes while the program runs, so each is written once.
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import type { OpenApiDocument } from '../http/openapi/document.ts'
import { memoizeValue } from '../record.ts'
import { DOCS_PATH } from './guides.ts'
import { writeLlmsText } from './llms.ts'

const CACHE = 'public, max-age=300'

type Needs = { baseUrl: string; getDocument: () => OpenApiDocument }

export async function toolRoutes(app: FastifyInstance, { baseUrl, getDocument }: Needs) {
  serveOnce('/api/openapi.json', 'application/json', () => JSON.stringify(getDocument()))
  serveOnce('/api/openapi.yaml', 'application/yaml', () =>
    stringify(getDocument(), { aliasDuplicateObjects: false }),
  )
  for (const path of ['/llms.txt', `${DOCS_PATH}/llms.txt`])
    serveOnce(path, 'text/plain', () => writeLlmsText(getDocument(), baseUrl))

  function serveOnce(path: string, type: string, write: () => string) {
    const getWritten = memoizeValue(write)
    app.get(path, (_request, reply) => {
      reply.type(`${type}; charset=utf-8`).header('cache-control', CACHE)
      // The page of the reference reads the document from a sandbox without an origin.
      return reply.header('access-control-allow-origin', '*').send(getWritten())
    })
  }
}
