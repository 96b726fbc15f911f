// The documentation is a program of its own at the same server (http/lifecycle/hand-over.ts): few processes are ever
// asked for it.
import type { FastifyInstance } from 'fastify'
import type { GetAssetUrl } from '../http/assets/serve.ts'
import { type CommonNeeds, setCommonHooks } from '../http/common-hooks.ts'
import { serveHtml, serveUnknown } from '../http/html.ts'
import { refuseOtherPublicMethods } from '../http/method-not-allowed.ts'
import type { DescribedRoute } from '../http/openapi/described-routes.ts'
import { describeApi } from '../http/openapi/document.ts'
import { createServer, type ServerNeeds } from '../http/server.ts'
import { DOCS_PATH } from './guides.ts'
import { apiNotes } from './notes.ts'
import { docsRoutes } from './routes.ts'
import { toolRoutes } from './tool-routes.ts'

type ProgramNeeds = ServerNeeds & CommonNeeds & { asset: GetAssetUrl; checkoutUrl: string }

/** @param routes what the document describes; none of them is answered here */
export async function buildDocs(
  needs: ProgramNeeds,
  routes: readonly DescribedRoute[],
): Promise<FastifyInstance> {
  const { asset, baseUrl } = needs
  const app = createServer(needs)
  setCommonHooks(app, needs)
  refuseOtherPublicMethods(app, ({ config }) => !config?.resource)
  await describeApi(app, baseUrl, { notes: apiNotes(), routes })
  serveUnknown(app, asset)
  await app.register((scope) => toolRoutes(scope, needs))
  app.get('/docs', { schema: { hide: true } }, (_request, reply) => reply.redirect(DOCS_PATH))
  await app.register(
    async (pages) => {
      await serveHtml(pages, asset)
      await docsRoutes(pages, needs)
    },
    { prefix: DOCS_PATH },
  )
  await app.ready()
  return app
}
