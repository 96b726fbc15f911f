// How far payers of a link come before they pay, for the company. No payer waits for it to be written. No cookie is set for it, and nothing is kept about the visitor.
import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { type LinkVisit, recordLinkVisits } from '../../payment-links/visits.ts'
import { createUnawaitedWriter } from '../../queue/unawaited.ts'
import { toDay } from '../../reports/days.ts'

const MAX_VISITS_A_STATEMENT = 10_000
/** Who fetches a page to show what it is, or because somebody may open it. */
const ROBOT =
  /bot\b|crawl|spider|preview|facebookexternalhit|whatsapp|telegram|slack|discord|skype|embedly|curl|wget/i

type Visitor = Pick<IncomingMessage, 'method' | 'headers'>

type CounterNeeds = {
  db: Database
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => Date
}

export type VisitCounter = ReturnType<typeof createVisitCounter>

/** What an outage keeps from being written, or a crash, is not counted. */
export function createVisitCounter(app: FastifyInstance, { db, log, now }: CounterNeeds) {
  const visits = createUnawaitedWriter<LinkVisit>({
    write: (some) => recordLinkVisits(db, some, toDay(now())),
    maxItems: MAX_VISITS_A_STATEMENT,
    log,
    failure: 'how often links were opened could not be written',
  })
  app.addHook('onClose', visits.close)
  return {
    /** By a browser that was not here before. */
    countOpened(linkId: string, request: Visitor) {
      if (isLookedAt(request)) visits.add({ linkId, step: 'opened' })
    },
    countBegun(linkId: string) {
      visits.add({ linkId, step: 'begun' })
    },
  }
}

/** Whether a payer looks at the page, as far as the request tells. */
function isLookedAt({ method, headers }: Visitor) {
  const purpose = headers['sec-purpose'] ?? headers.purpose
  return method === 'GET' && !purpose && !ROBOT.test(headers['user-agent'] ?? '')
}
