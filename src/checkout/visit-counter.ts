// Counts opened links and begun forms for the company, without cookies and without data of visitors. No payer waits for
// it.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type LinkVisit, recordLinkVisits } from '../payment-links/visits.ts'
import type { WorkNeeds } from '../queue/interval.ts'
import { createUnawaitedWriter } from '../queue/unawaited.ts'
import { toDay } from '../reports/days.ts'

const MAX_VISITS_A_STATEMENT = 10_000
/** Programs that load a page for a preview, or before a person opens it. */
const ROBOT =
  /bot\b|crawl|spider|preview|facebookexternalhit|whatsapp|telegram|slack|discord|skype|embedly|curl|wget/i

type VisitRequest = Pick<IncomingMessage, 'method' | 'headers'>

export type VisitCounter = ReturnType<typeof createVisitCounter>

/** Visits that cannot be written because of an outage or a crash are not counted. */
export function createVisitCounter(app: FastifyInstance, { db, log, now }: WorkNeeds) {
  const visits = createUnawaitedWriter<LinkVisit>({
    write: (some) => recordLinkVisits(db, some, toDay(now())),
    maxItems: MAX_VISITS_A_STATEMENT,
    log,
    failure: 'visits of links could not be written',
  })
  app.addHook('onClose', visits.close)
  return {
    /** Counts a visit of a browser that has no cookie of this link yet. */
    countOpened(linkId: string, request: VisitRequest) {
      if (isLookedAt(request)) visits.add({ linkId, step: 'opened' })
    },
    countBegun(linkId: string) {
      visits.add({ linkId, step: 'begun' })
    },
  }
}

/** Whether a person looks at the page, as far as the request shows. */
function isLookedAt({ method, headers }: VisitRequest) {
  const purpose = headers['sec-purpose'] ?? headers.purpose
  return method === 'GET' && !purpose && !ROBOT.test(headers['user-agent'] ?? '')
}
