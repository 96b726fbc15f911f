// Writes what a fact changes of a payment (lifecycle.ts), in one transaction: its rows, the book of money, events with
// their deliveries, e-mails and steps. Link and payment are locked meanwhile, so that of two processes with the same
// fact the second one changes nothing.

import type { Db, Transaction } from '../database/connect.ts'
import { and, asc, eq, inArray, ne, or } from '../database/drizzle.ts'
import { REFUNDABLE_STATUSES } from '../database/enums.ts'
import { disputes, incomingPayments, refunds, transactions } from '../database/tables.ts'
import { listPaymentWords, toTsvector } from '../lists/words.ts'
import { queueMail } from '../mail/outbox.ts'
import { bookMovements } from '../movements/book.ts'
import { completeSoldOutLink } from '../payment-links/events.ts'
import { type LinkRow, lockLinkForPayment, readPaymentLink } from '../payment-links/payment-link.ts'
import { countPaymentsLeft } from '../payment-links/payments.ts'
import type { Approval } from '../providers/provider.ts'
import { getKeys } from '../record.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import type { Books, Decision, Fact, Surroundings } from './books.ts'
import { listBookedElsewhere, listIncomingPayments } from './incoming/incoming-payment.ts'
import { decide, UNSHOWN_STEP, VOIDED_STEP } from './lifecycle.ts'
import type { PublishContext } from './needs.ts'
import { findFeeTerms } from './payout.ts'
import { findStepInstant, recordStep } from './steps.ts'
import { lockPayment, type TransactionRow } from './transaction.ts'

/** What a person does; the provider is not asked before it. */
const UNASKED_FACTS: readonly Fact['kind'][] = ['accepted', 'left by its payer']

/** `asked`: the payment as it was when the provider was asked. */
export async function applyFact(
  tx: Transaction,
  asked: TransactionRow,
  fact: Fact,
  context: PublishContext,
): Promise<Decision & { link: LinkRow }> {
  // The link comes first: all code that locks both uses this order.
  const isMoney = fact.kind === 'accepted' || getApproval(fact) !== null
  const link = await (isMoney ? lockLinkForPayment : readPaymentLink)(tx, asked.paymentLinkId)
  const { companyId, id: transactionId } = asked
  const payment = await lockPayment(tx, { companyId, transactionId })
  const now = context.now()
  const before = await loadBooks(tx, payment)
  const decision = decide(before, fact, {
    ...(await loadSurroundings(tx, payment, fact, link)),
    paymentsLeft: isMoney ? await countPaymentsLeft(tx, link) : Number.POSITIVE_INFINITY,
    ...{ link, checkoutUrl: context.checkoutUrl, now },
    askedCheckAt: UNASKED_FACTS.includes(fact.kind) ? undefined : asked.checkAt,
  })
  const isMoneyTouched = await writeBooks(tx, before, decision.books)
  if (isMoneyTouched) await bookMoney(tx, decision, now)
  await publishEffects(tx, decision, { mail: context.mail, now })
  return { ...decision, link }
}

/** Adds movements to the book of money when the payment is approved or its money has changed. */
async function bookMoney(tx: Transaction, { books, effects }: Decision, bookedAt: Date) {
  const isApproval = effects.outcome === 'approved'
  const { returnedAt } = effects
  await bookMovements(tx, [books.payment.id], { bookedAt, isApproval, returnedAt })
}

/** The provider's report of received money; null without one. */
function getApproval(fact: Fact): Approval | null {
  return fact.kind === 'answer' && fact.outcome.status === 'approved' ? fact.outcome : null
}

/** Loads the rows of a payment. A payment without known money has no others than its own. */
export async function loadBooks(db: Db, payment: TransactionRow): Promise<Books> {
  const { id, approvedAt, holdReason } = payment
  const isMoneyKnown = approvedAt !== null || holdReason !== null
  if (!isMoneyKnown) return { payment, received: [], refunds: [], disputes: [] }
  return {
    payment,
    received: await listIncomingPayments(db, id),
    refunds: await db
      .select()
      .from(refunds)
      .where(eq(refunds.transactionId, id))
      .orderBy(refunds.id),
    disputes: await db
      .select()
      .from(disputes)
      .where(eq(disputes.transactionId, id))
      .orderBy(disputes.id),
  }
}

type Looked = Pick<
  Surroundings,
  'twinId' | 'feeTerms' | 'bookedElsewhere' | 'unshownSince' | 'voidedSince'
>

/** Loads what a decision may need beside the books, mostly for a payment that is not approved yet. */
async function loadSurroundings(
  tx: Transaction,
  payment: TransactionRow,
  fact: Fact,
  link: LinkRow,
): Promise<Looked> {
  const approval = getApproval(fact)
  const isOpenMoney = payment.approvedAt === null && (fact.kind === 'accepted' || approval !== null)
  const isUnread = fact.kind === 'answer' && fact.outcome.status === 'unreadable'
  const isUnwanted = approval !== null && payment.status === 'declined'
  const findSince = async (step: typeof UNSHOWN_STEP | typeof VOIDED_STEP) =>
    (await findStepInstant(tx, payment.id, step)) ?? null
  return {
    twinId: isOpenMoney ? await findApprovedTwin(tx, payment, link) : null,
    feeTerms: isOpenMoney ? await findFeeTerms(tx, payment) : null,
    bookedElsewhere: await listBookedElsewhere(tx, payment, approval?.received ?? []),
    unshownSince: isUnread ? await findSince(UNSHOWN_STEP) : null,
    voidedSince: isUnwanted ? await findSince(VOIDED_STEP) : null,
  }
}

/**
 * Finds the payment that this one may duplicate, if its money was not refunded: of the same browser, the one begun as a
 * replacement of the other; or of a link that takes one payment. The link must be locked.
 */
async function findApprovedTwin(
  tx: Transaction,
  { id, firstAttemptId }: TransactionRow,
  link: LinkRow,
): Promise<string | null> {
  const first = firstAttemptId ?? id
  const ofBrowser = or(eq(transactions.id, first), eq(transactions.firstAttemptId, first))
  const isTwin = link.maxPayments === 1 ? eq(transactions.paymentLinkId, link.id) : ofBrowser
  const [twin] = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(isTwin, ne(transactions.id, id), inArray(transactions.status, REFUNDABLE_STATUSES)))
    .orderBy(asc(transactions.approvedAt))
    .limit(1)
  return twin?.id ?? null
}

/** Returns false when only the next check changes. */
async function writeBooks(tx: Transaction, before: Books, after: Books): Promise<boolean> {
  const { id } = after.payment
  const changes = listChanges(before.payment, after.payment)
  if (changes) {
    // A search finds the payment by its present amount.
    const words = toTsvector(listPaymentWords(after.payment))
    const searched = changes.totalCents === undefined ? {} : { words }
    await tx
      .update(transactions)
      .set({ ...changes, ...searched })
      .where(eq(transactions.id, id))
  }
  const received = await writeRows(before.received, after.received, {
    insert: (rows) => tx.insert(incomingPayments).values(rows),
    update: (row, set) =>
      tx.update(incomingPayments).set(set).where(eq(incomingPayments.id, row.id)),
  })
  const refunded = await writeRows(before.refunds, after.refunds, {
    insert: (rows) => tx.insert(refunds).values(rows),
    update: (row, set) => tx.update(refunds).set(set).where(eq(refunds.id, row.id)),
  })
  const disputed = await writeRows(before.disputes, after.disputes, {
    insert: (rows) => tx.insert(disputes).values(rows),
    update: (row, set) => tx.update(disputes).set(set).where(eq(disputes.id, row.id)),
  })
  const isPaymentChanged = getKeys(changes ?? {}).some((name) => !SCHEDULE_COLUMNS.has(name))
  return isPaymentChanged || received + refunded + disputed > 0
}

const SCHEDULE_COLUMNS = new Set(['checkAt', 'checks'])

type RowWriter<Row> = {
  insert: (rows: Row[]) => Promise<unknown>
  update: (row: Row, changes: Partial<Row>) => Promise<unknown>
}

/** Returns the number of new or changed rows. */
async function writeRows<Row extends { id: string }>(
  before: readonly Row[],
  after: readonly Row[],
  { insert, update }: RowWriter<Row>,
): Promise<number> {
  const known = new Map(before.map((row) => [row.id, row]))
  const added = after.filter(({ id }) => !known.has(id))
  if (added.length > 0) await insert(added)
  let written = added.length
  for (const row of after) {
    const changes = listChanges(known.get(row.id) ?? row, row)
    if (!changes) continue
    await update(row, changes)
    written++
  }
  return written
}

/** Null without differences. */
function listChanges<Row extends object>(before: Row, after: Row): Partial<Row> | null {
  if (before === after) return null
  const changed = getKeys(after).filter((name) => before[name] !== after[name])
  if (changed.length === 0) return null
  // Object.fromEntries is typed for any keys.
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<Row>
}

async function publishEffects(
  tx: Transaction,
  { books, effects }: Decision,
  { mail, now }: { mail: PublishContext['mail']; now: Date },
) {
  const { id: transactionId, companyId, paymentLinkId, testMode } = books.payment
  for (const step of effects.steps) await recordStep(tx, { ...step, transactionId, now })
  for (const { type, data } of effects.events)
    await recordEvent(tx, { companyId, type, testMode, data, now })
  if (mail && effects.mails.length > 0)
    await queueMail(mail, tx, { companyId, now }, ...effects.mails)
  if (effects.isLinkCompleted) await completeSoldOutLink(tx, paymentLinkId, { testMode, now })
}
