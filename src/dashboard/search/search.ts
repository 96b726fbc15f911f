// `/painel/busca`: payments, links and people of one search, on a page of its own, and as the options of the
// palette that scripts open over any page.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendPage } from '../../http/html.ts'
import { getRights } from '../../users/roles.ts'
import { parseSearch, readSearchedText } from '../layout/lists/search-words.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { SEARCH_PATH } from '../layout/paths.ts'
import { findAll } from './find.ts'
import { listPlaces } from './places.ts'
import { searchTexts } from './texts.ts'
import { type FoundGroup, toFoundGroups } from './view.ts'

const READ = requireRight('read')
const PAGE_LIMIT = 20
const PALETTE_LIMIT = 5

export async function searchPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/busca', READ, async (request, reply) => {
    const q = readSearchedText(request.query)
    return show(request, reply, 'dashboard/search/page', {
      title: searchTexts.title,
      section: null,
      q,
      groups: await findGroups(request, q, PAGE_LIMIT),
    })
  })

  app.get('/busca/opcoes', READ, async (request, reply) => {
    const q = readSearchedText(request.query)
    const groups = await findGroups(request, q, PALETTE_LIMIT)
    const places = listPlaces(getRights(request.visitor.user.role), q)
    return sendPage(reply, 'dashboard/search/options', {
      groups,
      places,
      everything:
        groups.length === 0
          ? null
          : {
              href: `${SEARCH_PATH}?${new URLSearchParams({ q })}`,
              text: searchTexts.everything(q),
            },
    })
  })

  /** Those that have something in them. */
  async function findGroups(
    { visitor }: FastifyRequest,
    q: string,
    limit: number,
  ): Promise<FoundGroup[]> {
    const now = needs.now()
    const search = parseSearch(q, now)
    if (!search) return []
    const found = await findAll(needs.db, { companyId: visitor.company.id, search, limit })
    return toFoundGroups(found, { q, limit, now })
  }
}
