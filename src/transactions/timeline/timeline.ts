// The history of a payment in order, from its own row, its steps and refunds, its events with their deliveries, and its
// e-mails.

import type { Database } from '../../database/connect.ts'
import { and, desc, eq, inArray } from '../../database/drizzle.ts'
import { MAX_UUID } from '../../database/id.ts'
import { mails } from '../../database/tables.ts'
import { formatBrl } from '../../format.ts'
import { listWebhookAttempts } from '../../webhooks/deliveries/history.ts'
import { type EventRow, listEvents } from '../../webhooks/events/log.ts'
import { listPaymentDisputes } from '../disputes/list.ts'
import type { DisputeRow } from '../disputes/schema.ts'
import { formatDisputeReason } from '../disputes/texts.ts'
import { listIncomingPayments } from '../incoming/incoming-payment.ts'
import { requireListedTransaction } from '../list/listed.ts'
import { listRefunds } from '../refunds/order.ts'
import { getVerdictSource, listSteps, type StepRow } from '../steps.ts'
import type { TransactionRow } from '../transaction.ts'
import { addEntryDetail, type TimelineEntry, toDayAndTime } from './entry.ts'
import { buildIncomingEntries } from './incoming.ts'
import { buildMailEntry, buildWebhookEntry } from './messages.ts'
import {
  buildApprovalEntries,
  buildCreationEntries,
  buildDeclineEntries,
  buildEndEntries,
  buildStepEntries,
} from './payment.ts'
import { buildRefundEntries } from './refund.ts'
import { timelineTexts } from './texts.ts'

const MAX_TIMELINE_ENTRIES = 200

/** Oldest first; of more than 200 entries the last ones. Throws 404 when the company has no such payment. */
export async function loadTimeline(
  db: Database,
  companyId: string,
  transactionId: string,
): Promise<TimelineEntry[]> {
  const row = await requireListedTransaction(db, companyId, transactionId)
  const page = { limit: MAX_TIMELINE_ENTRIES, cursor: MAX_UUID }
  const [steps, events, incoming, refunds, disputes, attempts] = await Promise.all([
    listSteps(db, row.id, MAX_TIMELINE_ENTRIES),
    listEvents(db, companyId, { ...page, transactionId: row.id }),
    listIncomingPayments(db, row.id),
    listRefunds(db, row.id, page),
    listPaymentDisputes(db, row.id),
    listWebhookAttempts(db, { companyId, transactionId: row.id, limit: MAX_TIMELINE_ENTRIES }),
  ])
  const lost = disputes.filter(({ status }) => status === 'lost')
  const subjects = [row.id, ...refunds.map(({ id }) => id)]
  const sent = await listPaymentMails(db, companyId, subjects)
  const entries = [
    ...buildCreationEntries({ ...row, totalCents: findAskedCents(row, steps) }),
    ...buildIncomingEntries(incoming, row.totalCents, lost),
    ...steps.flatMap((step) => buildStepEntries(step, row)),
    ...buildVerdictEntries(row, events, steps),
    ...events.flatMap(({ type, createdAt }) => buildEndEntries(type, createdAt)),
    ...refunds.flatMap(buildRefundEntries),
    ...disputes.flatMap(buildDisputeEntries),
    ...attempts.map(buildWebhookEntry),
    ...sent.map(buildMailEntry),
  ]
  // The sort is stable: entries of one instant stay in the order above.
  return entries
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .slice(-MAX_TIMELINE_ENTRIES)
}

/** Returns the original price of a payment that was accepted with less. */
function findAskedCents({ totalCents }: TransactionRow, steps: StepRow[]) {
  const accepted = steps.find(({ kind }) => kind === 'accepted')
  return Number(accepted?.details.totalCents ?? totalCents)
}

/** The instants come from events; the row has the rest. */
function buildVerdictEntries(row: TransactionRow, events: EventRow[], steps: StepRow[]) {
  const findReachedAt = (status: 'approved' | 'declined') =>
    events.find(({ type }) => type === `transaction.${status}`)?.createdAt
  const findSource = (status: string) => {
    const step = steps.find(({ kind, details }) => kind === 'settled' && details.status === status)
    return step && getVerdictSource(step)
  }
  if (row.approvedAt) {
    const at = findReachedAt('approved') ?? row.approvedAt
    return buildApprovalEntries(row, { at, source: findSource('approved') })
  }
  if (row.status !== 'declined') return []
  return buildDeclineEntries(row, {
    at: findReachedAt('declined') ?? row.updatedAt,
    source: findSource('declined'),
  })
}

async function listPaymentMails(db: Database, companyId: string, subjects: string[]) {
  return db
    .select()
    .from(mails)
    .where(and(inArray(mails.subjectId, subjects), eq(mails.companyId, companyId)))
    .orderBy(desc(mails.id))
    .limit(MAX_TIMELINE_ENTRIES)
}

function buildDisputeEntries(dispute: DisputeRow): TimelineEntry[] {
  const { status, openedAt, closedAt, respondBy, reason } = dispute
  const amount = formatBrl(dispute.amountCents)
  const kind = 'dispute'
  const opened: TimelineEntry = {
    at: openedAt,
    kind,
    text: timelineTexts.disputes.opened[dispute.kind](amount),
    tone: status === 'open' ? 'waiting' : 'neutral',
  }
  const deadline = respondBy && timelineTexts.disputes.respondBy(...toDayAndTime(respondBy))
  const first = addEntryDetail(opened, reason && formatDisputeReason(reason), deadline)
  if (status === 'open' || closedAt === null) return [first]
  const text = timelineTexts.disputes[status](amount)
  return [first, { at: closedAt, kind, text, tone: status === 'won' ? 'good' : 'bad' }]
}
