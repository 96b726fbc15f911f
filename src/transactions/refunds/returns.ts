// Money that went back at the provider without us, as far as its total says so. Refunds of ours that are
// pending are taken to be part of that total: what they turn out not to be is seen the next time.

import type { Database, Transaction } from '../../database/connect.ts'
import { and, eq, ne, type SQL, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { newId } from '../../database/id.ts'
import { refunds } from '../../database/tables.ts'
import type { ReceivedPix } from '../../providers/provider.ts'
import type { IncomingPaymentRow } from '../incoming/row.ts'
import { lockPayment } from '../lock.ts'
import type { PublishContext } from '../needs.ts'
import type { RefundRow, TransactionRow } from '../transaction.ts'
import { applyRefund } from './refund.ts'
import { isRefundable } from './refundable.ts'
import { refundTexts } from './texts.ts'

type ReportedPix = { rows: readonly IncomingPaymentRow[]; received: readonly ReceivedPix[] }

/** Of each Pix what the bank says has gone back of it; null when that is known. */
export async function recordReturns(
  tx: Transaction,
  payment: TransactionRow,
  { rows, received }: ReportedPix,
  context: PublishContext,
): Promise<TransactionRow | null> {
  let current: TransactionRow | null = null
  for (const { id, endToEndId, amountCents, refundedCents } of rows) {
    const pix = received.find((one) => one.endToEndId === endToEndId)
    const gone = Math.min(pix?.refundedCents ?? 0, amountCents)
    if (gone <= refundedCents) continue
    const ours = await sumRefunds(tx, eq(refunds.incomingPaymentId, id))
    if (gone <= ours) continue
    const made = { incomingPaymentId: id, amountCents: gone - ours }
    const refund = await insertReturn(tx, payment, made, context.now)
    current = await applyRefund(tx, refund, current ?? payment, context)
  }
  return current
}

/** The same of a card, of which only one total is told. */
export async function recordCardReturn(
  db: Database,
  { id, companyId }: TransactionRow,
  totalRefundedCents: number,
  context: PublishContext,
): Promise<void> {
  await db.transaction(async (tx) => {
    const payment = await lockPayment(tx, { companyId, transactionId: id })
    if (!isRefundable(payment)) return
    const gone = Math.min(totalRefundedCents, payment.totalCents)
    const ours = await sumRefunds(tx, eq(refunds.transactionId, id))
    if (gone <= ours) return
    const made = { incomingPaymentId: null, amountCents: gone - ours }
    const refund = await insertReturn(tx, payment, made, context.now)
    await applyRefund(tx, refund, payment, context)
  })
}

/** Those that have succeeded, and those that may. */
async function sumRefunds(tx: Transaction, those: SQL) {
  const [sum] = await tx
    .select({ cents: sql<string>`coalesce(sum(amount_cents), 0)` })
    .from(refunds)
    .where(and(those, ne(refunds.status, 'failed')))
  return Number(requireFound(sum).cents)
}

async function insertReturn(
  tx: Transaction,
  { id: transactionId, companyId }: TransactionRow,
  made: Pick<RefundRow, 'incomingPaymentId' | 'amountCents'>,
  now: Date,
) {
  const at = now.toISOString()
  const [refund] = await tx
    .insert(refunds)
    .values({
      id: newId(),
      ...{ companyId, transactionId, ...made },
      status: 'succeeded',
      reason: refundTexts.atProvider,
      createdAt: at,
      updatedAt: at,
    })
    .returning()
  return refund!
}
