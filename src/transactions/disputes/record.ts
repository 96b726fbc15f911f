// Records payments that payers dispute with a bank, as the provider reports them.
//
//   open ──▶ won | lost        won ⇄ lost, if the provider corrects itself; never open again
//
// Each change is written and published once, however often it is reported; a corrected amount of a lost dispute is
// published like its end. The lost amount is also on the payment: once nothing is left, it is `charged_back`.

import type { EventType, TransactionStatus } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { getInstantAfter } from '../../database/instant.ts'
import type { ProviderDispute } from '../../providers/provider.ts'
import { getKeys } from '../../record.ts'
import { type Books, changePayment, type Draft, deriveMoney, emitEvent } from '../books.ts'
import { buildDisputeMail } from '../emails.ts'
import { type DisputeRow, serializeDispute } from './schema.ts'

/** More than banks open for a payment; further ones are ignored. */
const MAX_REPORTED_DISPUTES = 100

/** Lists the lost disputes as won, for a provider that shows no disputes any more. */
export function listWonBack({ books }: Draft): ProviderDispute[] {
  const lost = books.disputes.filter(({ status }) => status === 'lost')
  return lost.map(
    ({ providerReference: reference, reportedOpenedAt: _, reportedClosedAt: __, ...row }) => ({
      ...{ ...row, reference, endToEndId: null, status: 'won', closedAt: null },
    }),
  )
}

type Turn = {
  kind: 'opened' | 'closed'
  /** The dispute after this change. */
  dispute: DisputeRow
}

/** Events by the payment's new status; `approved` is a payment that is charged back no more. */
const EVENT_BY_STATUS: Partial<Record<TransactionStatus, EventType>> = {
  charged_back: 'transaction.charged_back',
  canceled: 'transaction.canceled',
  expired: 'transaction.held',
}

export function recordDisputes(draft: Draft, reported: readonly ProviderDispute[]) {
  if (reported.length === 0) return
  const before = draft.books
  const turns = reported.slice(0, MAX_REPORTED_DISPUTES).flatMap((one) => recordDispute(draft, one))
  const changes = deriveMoney(draft.books, 'chargedBackCents')
  const { payment } = before
  const isSame = getKeys(changes).every((name) => changes[name] === payment[name])
  if (draft.books === before && isSame) return
  const opened = changePayment(draft, {})
  const after = isSame ? opened : changePayment(draft, changes)
  for (const { kind, dispute } of turns) {
    const more = { dispute: serializeDispute(dispute, after.testMode) }
    emitEvent(draft, `dispute.${kind}`, { payment: kind === 'opened' ? opened : after, more })
  }
  const type = payment.status === after.status ? undefined : EVENT_BY_STATUS[after.status]
  if (type) emitEvent(draft, type)
  // For a dispute that had already ended when it became known, only the end is mailed.
  const last = new Map(turns.map(({ dispute }) => [dispute.id, dispute]))
  draft.effects.mails.push(...[...last.values()].map((dispute) => buildDisputeMail(draft, dispute)))
}

/** Returns the new changes; a dispute that becomes known after its end was also opened. */
function recordDispute(draft: Draft, reported: ProviderDispute): Turn[] {
  const { now } = draft.at
  const known = draft.books.disputes.find((one) => one.providerReference === reported.reference)
  const opened = known ?? buildDispute(draft.books, reported, now.toISOString())
  const at = getInstantAfter(opened.updatedAt, now)
  const changed =
    reported.status === 'open' ? correctOpen(opened, reported, at) : close(opened, reported, at)
  if (changed === known) return []
  const others = draft.books.disputes.filter((one) => one !== known)
  draft.books = { ...draft.books, disputes: [...others, changed] }
  const isClosed = changed.status !== 'open' && changed !== opened
  return [
    ...(known ? [] : [{ kind: 'opened' as const, dispute: opened }]),
    ...(isClosed ? [{ kind: 'closed' as const, dispute: changed }] : []),
  ]
}

function buildDispute(
  { payment, received }: Books,
  reported: ProviderDispute,
  at: string,
): DisputeRow {
  const { kind, reason, amountCents, openedAt, reportedOpenedAt, respondBy } = reported
  const named = received.filter(
    ({ endToEndId }) => reported.endToEndId === null || endToEndId === reported.endToEndId,
  )
  return {
    id: newId(),
    ...{ companyId: payment.companyId, transactionId: payment.id },
    // A dispute that names no Pix belongs to the only one.
    incomingPaymentId: named.length === 1 && named[0] ? named[0].id : null,
    ...{ kind, providerReference: reported.reference, reason, amountCents, status: 'open' },
    ...{ openedAt, reportedOpenedAt: reportedOpenedAt ?? null },
    ...{ closedAt: null, reportedClosedAt: null, respondBy, createdAt: at, updatedAt: at },
  }
}

/** Amount, reason and deadline may change without an event; a closed dispute stays closed. */
function correctOpen(row: DisputeRow, reported: ProviderDispute, updatedAt: string): DisputeRow {
  const { amountCents } = reported
  const reason = reported.reason ?? row.reason
  const respondBy = reported.respondBy ?? row.respondBy
  const isSame =
    amountCents === row.amountCents &&
    reason === row.reason &&
    isSameInstant(respondBy, row.respondBy)
  return row.status !== 'open' || isSame
    ? row
    : { ...row, amountCents, reason, respondBy, updatedAt }
}

/** An amount of nothing is no correction: some providers no longer show what a dispute has taken. */
function correctLost(row: DisputeRow, amountCents: number, updatedAt: string): DisputeRow {
  const isSame = row.status !== 'lost' || amountCents === 0 || amountCents === row.amountCents
  return isSame ? row : { ...row, amountCents, updatedAt }
}

function isSameInstant(a: string | null, b: string | null) {
  return a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b))
}

function close(row: DisputeRow, reported: ProviderDispute, updatedAt: string): DisputeRow {
  const { status, amountCents, closedAt, reportedClosedAt } = reported
  if (row.status === status) return correctLost(row, amountCents, updatedAt)
  return {
    ...{ ...row, status, amountCents, reason: reported.reason ?? row.reason, updatedAt },
    ...{ closedAt: closedAt ?? updatedAt, reportedClosedAt: reportedClosedAt ?? null },
  }
}
