// Everything that happened to a payment, in order: what its own row, its steps and refunds, its events
// and their deliveries and its e-mails tell, each of what it alone knows.

import type { Database } from '../../database/connect.ts'
import { and, desc, eq, inArray } from '../../database/drizzle.ts'
import { mails } from '../../database/tables.ts'
import { notFound } from '../../http/errors.ts'
import { listAttemptsAbout } from '../../webhooks/deliveries/attempt-log.ts'
import { type EventRow, listEvents } from '../../webhooks/events/log.ts'
import { findListed } from '../list.ts'
import { listRefunds } from '../refunds/refund.ts'
import { transactionTexts } from '../texts.ts'
import type { TransactionRow } from '../transaction.ts'
import {
  approvalOf,
  attemptMoment,
  beginningOf,
  endOf,
  type Moment,
  mailMoment,
  refundMoments,
  refusalOf,
  stepOf,
} from './entries.ts'
import { listSteps, type Source, type StepRow } from './steps.ts'

export type { Moment } from './entries.ts'

const LIMIT = 200
const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The oldest first; of more than 200 moments the last. Throws 404 when the company has none of this id. */
export async function timelineOf(
  db: Database,
  companyId: string,
  transactionId: string,
): Promise<Moment[]> {
  const row = await findListed(db, companyId, transactionId)
  if (!row) throw notFound(transactionTexts.notFound)
  const page = { limit: LIMIT, cursor: NEWEST }
  const [steps, events, refunds, attempts] = await Promise.all([
    listSteps(db, row.id, LIMIT),
    listEvents(db, companyId, { ...page, transactionId: row.id }),
    listRefunds(db, row.id, page),
    listAttemptsAbout(db, { companyId, transactionId: row.id, limit: LIMIT }),
  ])
  const subjects = [row.id, ...refunds.map(({ id }) => id)]
  const sent = await listMails(db, companyId, subjects)
  const moments = [
    ...beginningOf(row),
    ...steps.flatMap((step) => stepOf(step, row)),
    ...verdictsOf(row, events, steps),
    ...events.flatMap(({ type, createdAt }) => endOf(type, createdAt)),
    ...refunds.flatMap(refundMoments),
    ...attempts.map(attemptMoment),
    ...sent.map(mailMoment),
  ]
  // Stable: what is of one instant stays in the order of the lines above.
  return moments.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-LIMIT)
}

/** When they were reached is what their events say; the row knows of the rest. */
function verdictsOf(row: TransactionRow, events: EventRow[], steps: StepRow[]) {
  const reached = (status: 'approved' | 'declined') =>
    events.find(({ type }) => type === `transaction.${status}`)?.createdAt
  const source = (status: string) => {
    const step = steps.find(({ kind, details }) => kind === 'settled' && details.status === status)
    return step?.details.source as Source | undefined
  }
  if (row.approvedAt) {
    const at = reached('approved') ?? row.approvedAt
    return approvalOf(row, { at, source: source('approved') })
  }
  if (row.status !== 'declined') return []
  return refusalOf(row, { at: reached('declined') ?? row.updatedAt, source: source('declined') })
}

async function listMails(db: Database, companyId: string, subjects: string[]) {
  return db
    .select()
    .from(mails)
    .where(and(inArray(mails.subjectId, subjects), eq(mails.companyId, companyId)))
    .orderBy(desc(mails.id))
    .limit(LIMIT)
}
