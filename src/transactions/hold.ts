// A payment of which another amount came in than we had asked for: it is approved when the rest comes, and
// until then the company decides. One whose amount can't be read waits in the same way until it can.
import type { Transaction } from '../database/connect.ts'
import { and, eq, inArray, isNull, sql } from '../database/drizzle.ts'
import { OPEN_STATUSES, type TransactionStatus } from '../database/enums.ts'
import { transactions } from '../database/tables.ts'
import { type LinkRow, readPaymentLink } from '../payment-links/payment-link.ts'
import { texts } from '../texts.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import { getNextCheckAt } from './check-schedule.ts'
import { queueHoldMail } from './emails.ts'
import type { PublishContext } from './needs.ts'
import { toTransactionEventData } from './serialize.ts'
import { recordStep } from './steps.ts'
import { type TransactionRow, UNREADABLE_HOLD } from './transaction.ts'

/** Money that came is money that came: a Pix paid at the last second outlives our own clock. */
export const PAYABLE_STATUSES: readonly TransactionStatus[] = [
  ...OPEN_STATUSES,
  'expired',
  'canceled',
]

/** Once: told again it changes nothing. */
export async function holdCardPayment(
  tx: Transaction,
  row: TransactionRow,
  { reference, paidCents }: { reference: string; paidCents: number },
  context: PublishContext,
) {
  if (row.holdReason !== null) return null
  const link = await readPaymentLink(tx, row.paymentLinkId)
  const columns = { providerReference: reference }
  return holdPayment(tx, row, { columns, receivedCents: paidCents, link, isMore: false }, context)
}

/** Once, and not where any of its money is known. */
export async function holdUnreadablePayment(
  tx: Transaction,
  row: TransactionRow,
  { reference, field }: { reference: string; field: string | null },
  context: PublishContext,
) {
  const link = await readPaymentLink(tx, row.paymentLinkId)
  const columns = { providerReference: reference }
  const money = { columns, receivedCents: null, field, link, isMore: false }
  return holdPayment(tx, row, money, context)
}

type HeldMoney = {
  columns: Partial<TransactionRow>
  /** Null where it can't be read. */
  receivedCents: number | null
  /** What of it can't, where the provider shows that. */
  field?: string | null
  link: LinkRow
  /** Whether it may be held already, with less; told again a card changes nothing. */
  isMore: boolean
}

/** Whatever came in of it before; null when it has ended meanwhile. */
export async function holdPayment(
  tx: Transaction,
  row: TransactionRow,
  { columns, receivedCents, field, link, isMore }: HeldMoney,
  { checkoutUrl, mail, now }: PublishContext,
) {
  const holdReason =
    receivedCents === null
      ? UNREADABLE_HOLD
      : texts.holds.amountDiffers(receivedCents, row.totalCents)
  const [held] = await tx
    .update(transactions)
    .set({
      ...{ ...columns, holdReason, receivedCents },
      // Held and canceled is one whose money went back (isMismatchRefunded).
      status: sql`case status when 'canceled' then 'expired' else status end`,
      checkAt: getNextCheckAt({ ...row, holdReason }, now),
      updatedAt: now.toISOString(),
    })
    .where(
      and(
        eq(transactions.id, row.id),
        inArray(transactions.status, PAYABLE_STATUSES),
        isMore ? undefined : isNull(transactions.holdReason),
      ),
    )
    .returning()
  if (!held) return null
  const amounts = { receivedCents: receivedCents ?? 0, totalCents: row.totalCents }
  const details = receivedCents === null ? { reason: holdReason, field: field ?? '' } : amounts
  await recordStep(tx, { transactionId: row.id, kind: 'held', details, now })
  const { companyId, testMode } = held
  const data = toTransactionEventData(held, link, checkoutUrl)
  await recordEvent(tx, { companyId, type: 'transaction.held', testMode, data, now })
  await queueHoldMail(mail, tx, held, link, now)
  return held
}
