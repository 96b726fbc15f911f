// The page of the API reference: Scalar shows the OpenAPI document.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { requireFound } from '../database/found.ts'
import { type GetAssetUrl, servePackageScript } from '../http/assets/serve.ts'
import { buildContentPolicy, sendPage } from '../http/html.ts'
import { DOCS_PATH } from './guides.ts'

/** The page runs a large library of others. In a sandbox without an origin it cannot read our cookies. */
const POLICY = `${buildContentPolicy({ styled: true })}; sandbox allow-scripts allow-popups`

const PACKAGE_FILE = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
const SCRIPT_LINE = /^var standalone_default = (".*");$/m

/** The name has the version of package.json, so it may be cached for ever. */
export const SCRIPT_NAME = 'scalar-1.72.1.js'

declare module '../http/html.ts' {
  interface Views {
    'docs/reference': { asset: GetAssetUrl; script: string }
  }
}

/** For the scope of pages at `/api/docs`. */
export async function referenceRoutes(app: FastifyInstance, { asset }: { asset: GetAssetUrl }) {
  servePackageScript(app, `/${SCRIPT_NAME}`, readScript)
  app.get('/referencia', (_request, reply) => {
    reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'public, max-age=300' })
    return sendPage(reply, 'docs/reference', { asset, script: `${DOCS_PATH}/${SCRIPT_NAME}` })
  })
}

/**
 * Reads the script out of a package that has it as a string in a module, which also imports a parser that we do not
 * need. So the module is read and not run, at the first request for the page.
 */
function readScript() {
  const [, literal] = requireFound(SCRIPT_LINE.exec(readFileSync(PACKAGE_FILE, 'utf8')))
  return Buffer.from(String(runInNewContext(requireFound(literal))))
}
