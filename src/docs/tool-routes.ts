// Documents for tools and agents, without a key: the OpenAPI document as JSON and YAML, llms.txt and llms-full.txt.
// They do not change while the program runs, so each is written once.
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import { memoizeValue } from '../record.ts'
import { DOCS_PATH } from './guides.ts'
import { writeLlmsFullText, writeLlmsText } from './llms.ts'
import { buildCommonModel, type DocsNeeds } from './routes.ts'

const CACHE = 'public, max-age=300'

export async function toolRoutes(app: FastifyInstance, needs: DocsNeeds) {
  const { baseUrl, getDocument } = needs
  serveOnce('/api/openapi.json', 'application/json', () => JSON.stringify(getDocument()))
  serveOnce('/api/openapi.yaml', 'application/yaml', () =>
    stringify(getDocument(), { aliasDuplicateObjects: false }),
  )
  for (const path of ['/llms.txt', `${DOCS_PATH}/llms.txt`])
    serveOnce(path, 'text/plain', () => writeLlmsText(getDocument(), baseUrl))
  serveOnce('/llms-full.txt', 'text/plain', () =>
    writeLlmsFullText(getDocument(), baseUrl, buildCommonModel(needs)),
  )

  function serveOnce(path: string, type: string, write: () => string) {
    const getWritten = memoizeValue(write)
    app.get(path, (_request, reply) => {
      reply.type(`${type}; charset=utf-8`).header('cache-control', CACHE)
      // The page of the reference loads the document from a sandbox without an origin.
      return reply.header('access-control-allow-origin', '*').send(getWritten())
    })
  }
}
