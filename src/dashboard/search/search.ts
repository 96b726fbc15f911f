// `/painel/busca`: payments, links and people of one search.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseSearch, readSearchedText } from '../layout/lists/search-words.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { findAll } from './find.ts'
import { searchTexts } from './texts.ts'
import { type FoundGroup, toFoundGroups } from './view.ts'

const READ = requireRight('read')
const PAGE_LIMIT = 20

export async function searchPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/busca', READ, async (request, reply) => {
    const q = readSearchedText(request.query)
    return show(request, reply, 'dashboard/search/page', {
      title: searchTexts.title,
      section: null,
      q,
      groups: await findGroups(request, q),
    })
  })

  /** Those that have something in them. */
  async function findGroups({ visitor }: FastifyRequest, q: string): Promise<FoundGroup[]> {
    const now = needs.now()
    const search = parseSearch(q, now)
    if (!search) return []
    const found = await findAll(needs.db, {
      companyId: visitor.company.id,
      search,
      limit: PAGE_LIMIT,
      now,
    })
    return toFoundGroups(found, { q, limit: PAGE_LIMIT, now })
  }
}
