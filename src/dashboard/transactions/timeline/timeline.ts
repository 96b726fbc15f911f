// The history of a payment in order, from its own row, its steps and refunds, its events with their deliveries, and its
// e-mails.

import type { Retention } from '../../../config.ts'
import type { Database } from '../../../database/connect.ts'
import { and, desc, eq, inArray } from '../../../database/drizzle.ts'
import { MAX_UUID } from '../../../database/id.ts'
import { DAY_MS } from '../../../database/instant.ts'
import { mails } from '../../../database/tables.ts'
import { memoizeValue } from '../../../record.ts'
import { listPaymentDisputes } from '../../../transactions/disputes/list.ts'
import { listIncomingPayments } from '../../../transactions/incoming/incoming-payment.ts'
import { requireListedTransaction } from '../../../transactions/list/listed.ts'
import { listRefunds } from '../../../transactions/refunds/request.ts'
import { getVerdictSource, listSteps, type StepRow } from '../../../transactions/steps.ts'
import type { TransactionRow } from '../../../transactions/transaction.ts'
import { listWebhookAttempts } from '../../../webhooks/deliveries/history.ts'
import { type EventRow, listEvents } from '../../../webhooks/events/log.ts'
import {
  buildApprovalEntries,
  buildCreationEntry,
  buildDeclineEntries,
  buildDisputeEntries,
  buildEndEntries,
  buildIncomingEntries,
  buildRefundEntries,
  buildStepEntries,
  type TimelineEntry,
} from './entries.ts'
import { buildMailEntry, buildWebhookEntry } from './messages.ts'
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
  const sent = await listPaymentMails(db, companyId, [row.id, ...refunds.map(({ id }) => id)])
  const entries = [
    buildCreationEntry({ ...row, totalCents: findAskedCents(row, steps) }),
    ...buildIncomingEntries(incoming, row, disputes),
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
  const status = row.approvedAt ? 'approved' : 'declined'
  if (status !== 'approved' && row.status !== status) return []
  const step = steps.find(({ kind, details }) => kind === 'settled' && details.status === status)
  const event = events.find(({ type }) => type === `transaction.${status}`)
  const at = event?.createdAt ?? row.approvedAt ?? row.updatedAt
  const reached = { at, source: step && getVerdictSource(step) }
  return (row.approvedAt ? buildApprovalEntries : buildDeclineEntries)(row, reached)
}

async function listPaymentMails(db: Database, companyId: string, subjects: string[]) {
  return db
    .select()
    .from(mails)
    .where(and(inArray(mails.subjectId, subjects), eq(mails.companyId, companyId)))
    .orderBy(desc(mails.id))
    .limit(MAX_TIMELINE_ENTRIES)
}

const getListFormat = memoizeValue(() => new Intl.ListFormat('pt-BR'))

/** Names the parts of a timeline that were already deleted, in a sentence; null when nothing was. */
export function describeForgotten(
  createdAt: string,
  { mailsDays, eventsDays, stepsDays }: Retention,
  now: Date,
): string | null {
  const { kept, keptParts } = timelineTexts
  const ageMs = now.getTime() - Date.parse(createdAt)
  const all = [
    [mailsDays, keptParts.mails],
    [eventsDays, keptParts.events],
    [stepsDays, keptParts.steps],
  ] as const
  const gone = all.filter(([days]) => ageMs > days * DAY_MS)
  const parts = gone.map(([days, describe]) => describe(days))
  return parts.length > 0 ? kept(getListFormat().format(parts)) : null
}
