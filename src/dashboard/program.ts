// The dashboard is a program of its own at the same server (http/lifecycle/hand-over.ts): a process that nobody looks
// at loads none of it.
import cookie from '@fastify/cookie'
import { type CommonNeeds, setCommonHooks } from '../http/common-hooks.ts'
import { refuseSiblings, serveHtml, serveUnknown } from '../http/html.ts'
import { createServer, type ServerNeeds } from '../http/server.ts'
import type { EventFeed } from '../webhooks/events/feed.ts'
import { setUpPages } from './access/set-up.ts'
import type { DashboardNeeds } from './layout/needs.ts'
import { dashboardRoutes } from './routes.ts'

type ProgramNeeds = ServerNeeds & CommonNeeds & DashboardNeeds & { eventFeed: EventFeed }

export async function buildDashboard(needs: ProgramNeeds) {
  const { asset } = needs
  const app = createServer(needs)
  setCommonHooks(app, needs)
  serveUnknown(app, asset)
  await app.register(async (pages) => {
    await pages.register(cookie)
    await serveHtml(pages, asset)
    refuseSiblings(pages)
    await pages.register((scope) => setUpPages(scope, needs))
    await pages.register((scope) => dashboardRoutes(scope, needs), { prefix: '/painel' })
  })
  await app.ready()
  return app
}
