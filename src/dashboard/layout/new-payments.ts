// `/painel/novos`: the number of payments approved since a page was opened, for open pages that poll, without details
// of the payments.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { storableInstantField, toRecord } from '../../http/fields.ts'
import { countApprovedSince } from '../../transactions/transaction.ts'
import { type DashboardNeeds, requireRight } from './needs.ts'
import type { NewPaymentsStart } from './page.ts'

const BACKGROUND = requireRight('read', { isBackground: true })
/** The page stops polling. */
const POLLING_OVER = 204
const Since = storableInstantField()

/** Called before the page's payments are read, so that no later payment is missed. */
export function buildNewPaymentsStart({ visitor }: FastifyRequest, now: Date): NewPaymentsStart {
  return { companyId: visitor.company.id, since: now.toISOString() }
}

export async function newPaymentsRoutes(app: FastifyInstance, { db }: DashboardNeeds) {
  app.get('/novos', BACKGROUND, async ({ query, visitor }, reply) => {
    const { desde, ambiente } = toRecord(query)
    const since = Since.safeParse(desde)
    // The session may have switched to the other environment.
    if (ambiente !== visitor.company.id || !since.success) return reply.code(POLLING_OVER).send()
    const count = await countApprovedSince(db, visitor.company.id, since.data)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ count }))
  })
}
