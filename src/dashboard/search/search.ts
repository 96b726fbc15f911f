// `/painel/busca`: payments, links and people of one search.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseSearch, readSearchedText } from '../layout/lists/search-words.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { findAll } from './find.ts'
import { searchTexts } from './texts.ts'
import { toFoundGroups } from './view.ts'

const PAGE_LIMIT = 20

export async function searchPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/busca', requireRight('read'), async (request, reply) =>
    show(request, reply, 'dashboard/search/page', await loadSearch(needs, request)),
  )
}

export async function loadSearch({ db, ...needs }: DashboardNeeds, request: FastifyRequest) {
  const q = readSearchedText(request.query)
  const now = needs.now()
  const search = parseSearch(q, now)
  const companyId = request.visitor.company.id
  const wanted = search && { companyId, search, limit: PAGE_LIMIT, now }
  return {
    title: searchTexts.title,
    section: null,
    q,
    /** Only groups with results. */
    groups: wanted ? toFoundGroups(await findAll(db, wanted), { q, ...wanted }) : [],
  }
}
