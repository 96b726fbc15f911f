// The Pix that came in, as rows: each is written once however often the bank tells of it, and never for
// a second payment. Whoever changes them holds the payment's own row.

import type { Db, Transaction } from '../../database/connect.ts'
import { and, asc, eq, inArray, isNull, sql } from '../../database/drizzle.ts'
import { incomingPayments, refunds } from '../../database/tables.ts'
import type { ReceivedPix } from '../../providers/provider.ts'
import { listLostMoney } from '../disputes/taken.ts'
import type { TransactionRow } from '../transaction.ts'
import {
  getSurplusLeft,
  planSurplus,
  planSurplusInHand,
  type SurplusPlan,
  subtractLost,
  subtractReturned,
  sumCents,
  sumInHand,
} from './amounts.ts'
import { buildRow, buildRowOfPayment, type IncomingPaymentRow } from './row.ts'

/**
 * All that is booked of a payment, what is so only now, what may be too much only now, and whether the sale is
 * paid by it. In hand is what neither goes back nor was lost of what was known before, and all that was not.
 */
export type Booking = Omit<SurplusPlan, 'surplusCents'> & {
  rows: IncomingPaymentRow[]
  added: IncomingPaymentRow[]
  overpaid: IncomingPaymentRow[]
  inHandCents: number
}

/** Oldest first. None of what a version before this one has approved and nobody has asked for since. */
export async function listIncomingPayments(
  db: Db,
  transactionId: string,
): Promise<IncomingPaymentRow[]> {
  return db
    .select()
    .from(incomingPayments)
    .where(eq(incomingPayments.transactionId, transactionId))
    .orderBy(asc(incomingPayments.id))
}

/** What is to go back of a payment because it came in beyond the sale. */
export async function sumSurplusLeft(db: Db, { id, method }: TransactionRow) {
  if (method !== 'pix') return 0
  const [rows, lost] = [await listIncomingPayments(db, id), await listLostMoney(db, id)]
  return sumCents(subtractLost(rows, lost).map(getSurplusLeft))
}

export async function findIncomingPayment(db: Db, id: string) {
  const [row] = await db.select().from(incomingPayments).where(eq(incomingPayments.id, id))
  return row
}

/** Books what is not booked yet. The usual is a first Pix. */
export async function bookIncomingPayments(
  tx: Transaction,
  payment: TransactionRow,
  { received, reference }: { received: readonly ReceivedPix[]; reference: string },
  now: Date,
): Promise<Booking> {
  const told = sortReceived(received)
  if (payment.approvedAt === null && payment.receivedCents === null) {
    const { surplusCents, ...plan } = planSurplus(toSaleState(payment), [], told)
    const added = told.map((pix, i) => buildRow(payment, pix, surplusCents[i] ?? 0, now))
    const news = { added, overpaid: added, inHandCents: sumInHand(added) }
    if (await insertFirst(tx, payment, added)) return { ...plan, ...news, rows: added }
  }
  const booked = await loadIncomingPayments(tx, payment, now)
  const known = await correctKnown(tx, payment, booked, { told, reference })
  const named = known.length > 0 ? told.filter((pix) => pix.endToEndId !== reference) : told
  const fresh = await selectUnbooked(tx, payment, named, known)
  const returned = subtractReturned(known, told)
  const isApproved = payment.approvedAt !== null
  const unlost = isApproved ? returned : subtractLost(returned, await listLostMoney(tx, payment.id))
  const inHand = isApproved ? unlost : subtractLost(unlost, await listReturning(tx, payment.id))
  const { surplusCents, ...plan } = planSurplus(toSaleState(payment), inHand, fresh)
  const added = fresh.map((pix, i) => buildRow(payment, pix, surplusCents[i] ?? 0, now))
  if (added.length > 0) await tx.insert(incomingPayments).values(added)
  const isPaidNow = plan.isComplete && !isApproved
  const raised = isPaidNow ? await raiseSurplus(tx, payment, { known, returned, inHand }) : []
  const rows = known.map((row) => raised.find(({ id }) => id === row.id) ?? row)
  const overpaid = [...raised.filter((row) => hasSurplusLeft(row, unlost)), ...added]
  const inHandCents = sumInHand([...inHand, ...added])
  return { ...plan, rows: [...rows, ...added], added, overpaid, inHandCents }
}

/** What is on its way back: it pays nothing, and is too much should it stay after all. */
async function listReturning(tx: Transaction, transactionId: string) {
  const { incomingPaymentId, amountCents } = refunds
  return tx
    .select({ incomingPaymentId, amountCents })
    .from(refunds)
    .where(and(eq(refunds.transactionId, transactionId), eq(refunds.status, 'pending')))
}

type KnownMoney = Record<'known' | 'returned' | 'inHand', IncomingPaymentRow[]>

/** Those whose surplus is another now that the sale is paid, as they are then. */
async function raiseSurplus(
  tx: Transaction,
  { totalCents }: TransactionRow,
  { known, returned, inHand }: KnownMoney,
) {
  const planned = planSurplusInHand(totalCents, returned, inHand)
  const raised = known
    .map((row, i) => ({ ...row, surplusCents: planned[i] ?? row.surplusCents }))
    .filter((row, i) => row.surplusCents !== known[i]?.surplusCents)
  for (const { id, surplusCents } of raised) {
    await tx.update(incomingPayments).set({ surplusCents }).where(eq(incomingPayments.id, id))
  }
  return raised
}

function hasSurplusLeft({ id, surplusCents }: IncomingPaymentRow, unlost: IncomingPaymentRow[]) {
  return unlost.some((row) => row.id === id && getSurplusLeft({ ...row, surplusCents }) > 0)
}

/**
 * All that is booked of a payment, oldest first. What another version has approved or given back
 * without a word of its Pix is booked from the payment's own row.
 */
export async function loadIncomingPayments(
  tx: Transaction,
  payment: TransactionRow,
  now: Date,
): Promise<IncomingPaymentRow[]> {
  if (payment.method !== 'pix') return []
  const booked = await listIncomingPayments(tx, payment.id)
  if (booked.length === 0 && (payment.approvedAt !== null || payment.receivedCents !== null)) {
    const row = buildRowOfPayment(payment, now)
    await tx.insert(incomingPayments).values(row).onConflictDoNothing()
  }
  const isNew = booked.length === 0
  const [first] = isNew ? await listIncomingPayments(tx, payment.id) : booked
  if (!first) return []
  const adopted = await adoptRefunds(tx, first, isNew ? payment.refundedCents : 0)
  return adopted || isNew ? listIncomingPayments(tx, payment.id) : booked
}

/** The same Pix told twice in one breath is one; a second one comes after the first. */
function sortReceived(received: readonly ReceivedPix[]) {
  const once = [...new Map(received.map((pix) => [pix.endToEndId, pix])).values()]
  return once
    .filter(({ amountCents }) => amountCents > 0)
    .sort(
      (a, b) =>
        compareTexts(a.paidAt, b.paidAt) ||
        // What was said of two that cannot be as they were said may still tell them apart.
        compareTexts(a.reportedPaidAt ?? a.paidAt, b.reportedPaidAt ?? b.paidAt) ||
        compareTexts(a.endToEndId, b.endToEndId),
    )
}

function compareTexts(a: string, b: string) {
  return a < b ? -1 : a > b ? 1 : 0
}

function toSaleState({ totalCents, approvedAt }: TransactionRow) {
  return { totalCents, isApproved: approvedAt !== null }
}

/** False when any of them is known already. */
async function insertFirst(tx: Transaction, payment: TransactionRow, rows: IncomingPaymentRow[]) {
  const { companyId, provider, endToEndId } = incomingPayments
  const ids = rows.map((row) => row.endToEndId)
  const [known] = await tx
    .select({ id: incomingPayments.id })
    .from(incomingPayments)
    .where(
      and(
        eq(companyId, payment.companyId),
        eq(provider, payment.provider),
        inArray(endToEndId, ids),
      ),
    )
    .limit(1)
  if (known) return false
  await tx.insert(incomingPayments).values(rows)
  return true
}

/** A refund that a version before this one has written is of the first Pix: it knew of no other. */
async function adoptRefunds(
  tx: Transaction,
  { id, transactionId }: IncomingPaymentRow,
  refundedCents: number,
) {
  const orphans = await tx
    .update(refunds)
    .set({ incomingPaymentId: id })
    .where(and(eq(refunds.transactionId, transactionId), isNull(refunds.incomingPaymentId)))
    .returning()
  const done = orphans.filter(({ status }) => status === 'succeeded')
  const gone = Math.max(sumCents(done.map(({ amountCents }) => amountCents)), refundedCents)
  if (gone === 0) return false
  await tx
    .update(incomingPayments)
    .set({ refundedCents: sql`least(refunded_cents + ${gone}::int, amount_cents)` })
    .where(eq(incomingPayments.id, id))
  return true
}

type Told = { told: ReceivedPix[]; reference: string }

/**
 * What a payment's own row told of its money is put right by the bank: the sum of several Pix was
 * booked as one, and a Pix without an end-to-end id by the charge's own.
 */
async function correctKnown(
  tx: Transaction,
  payment: TransactionRow,
  booked: IncomingPaymentRow[],
  { told, reference }: Told,
) {
  const corrected: IncomingPaymentRow[] = []
  for (const row of booked) {
    const pix =
      told.find(({ endToEndId }) => endToEndId === row.endToEndId) ??
      told.find(({ endToEndId }) => [endToEndId, row.endToEndId].includes(reference))
    const changes = pix ? listCorrections(payment, row, { ...pix, reference }) : {}
    corrected.push({ ...row, ...changes })
    if (Object.keys(changes).length === 0) continue
    await tx.update(incomingPayments).set(changes).where(eq(incomingPayments.id, row.id))
  }
  return corrected
}

function listCorrections(
  { id, totalCents }: TransactionRow,
  row: IncomingPaymentRow,
  { endToEndId, amountCents, reference }: ReceivedPix & { reference: string },
): Partial<IncomingPaymentRow> {
  // Of a payment's own row alone; and what has gone back of it has gone back.
  const isSum = row.id === id && amountCents < row.amountCents && amountCents >= row.refundedCents
  return {
    ...(row.endToEndId === reference && endToEndId !== reference && { endToEndId }),
    ...(isSum && { amountCents, surplusCents: Math.max(0, amountCents - totalCents) }),
  }
}

/** What neither this payment has nor another: a Pix pays once. */
async function selectUnbooked(
  tx: Transaction,
  { companyId, provider }: TransactionRow,
  told: readonly ReceivedPix[],
  known: readonly IncomingPaymentRow[],
) {
  const ours = known.map(({ endToEndId }) => endToEndId)
  const unknown = told.filter(({ endToEndId }) => !ours.includes(endToEndId))
  if (unknown.length === 0) return []
  const ids = unknown.map(({ endToEndId }) => endToEndId)
  const taken = await tx
    .select({ endToEndId: incomingPayments.endToEndId })
    .from(incomingPayments)
    .where(
      and(
        eq(incomingPayments.companyId, companyId),
        eq(incomingPayments.provider, provider),
        inArray(incomingPayments.endToEndId, ids),
      ),
    )
  return unknown.filter((pix) => !taken.some(({ endToEndId }) => endToEndId === pix.endToEndId))
}
