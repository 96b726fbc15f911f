// Files of links whose links are being made, above the list of links: fetched again by its script while there
// are any.

import type { FastifyInstance } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { formatCount } from '../../format.ts'
import { sendPage } from '../../http/html.ts'
import { listImportsUnderWay } from '../../payment-links/import/under-way.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { LINKS_PATH, linkImportPath } from '../layout/paths.ts'
import { linkPageTexts } from './texts.ts'

const EDIT_LINKS = requireRight('editLinks')
const words = linkPageTexts.imports
const UNDER_WAY_PATH = `${LINKS_PATH}/em-criacao`

export async function importsUnderWayRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  app.get('/links/em-criacao', EDIT_LINKS, async (request, reply) => {
    const { company } = request.visitor
    const imports = await findImportsView(needs.db, company.id, needs.now())
    return sendPage(reply.header('cache-control', 'no-store'), 'dashboard/links/imports', {
      imports,
    })
  })
}

export async function findImportsView(db: Database, companyId: string, now: Date) {
  const rows = await listImportsUnderWay(db, companyId, now)
  return {
    path: UNDER_WAY_PATH,
    files: rows.map(({ id, fileName, status, rowCount, createdCount, refusedCount }) => ({
      name: fileName,
      href: linkImportPath(id),
      isRunning: status === 'running',
      progress: { value: createdCount + refusedCount, max: rowCount },
      done: formatCount(createdCount + refusedCount),
      rows: formatCount(rowCount),
      created: words.created(createdCount),
      refused: refusedCount > 0 ? words.refused(refusedCount) : null,
    })),
  }
}
