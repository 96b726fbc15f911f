// Refunds in the simulated bank's ledger (sandbox_refunds): each is recorded once, and together they never exceed the
// paid amount. The last two digits of the amount decide the result, like the number of a test card: 13 is refused for
// lack of balance, 14 takes ten seconds, others succeed at once.

import type { Database, Transaction } from '../../database/connect.ts'
import { eq, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { sandboxCharges, sandboxRefunds } from '../../database/tables.ts'
import type { RefundOutcome } from '../provider.ts'
import type { SandboxChargeRow } from './outcomes.ts'

const REFUSED_ENDING = 13
const SLOW_ENDING = 14
const SLOW_REFUND_MS = 10_000

type SandboxRefundRow = typeof sandboxRefunds.$inferSelect
type SandboxRefundInput = { refundId: string; chargeReference: string; amountCents: number }

/** Records the refund; a repeated request with the same id returns the recorded one. */
export async function recordSandboxRefund(
  db: Database,
  { refundId, chargeReference, amountCents }: SandboxRefundInput,
  isPaid: (charge: SandboxChargeRow) => boolean,
  now: Date,
): Promise<RefundOutcome> {
  return db.transaction(async (tx) => {
    // Locked, so that of two simultaneous refunds the second sees the first.
    const [charge] = await tx
      .select()
      .from(sandboxCharges)
      .where(eq(sandboxCharges.reference, chargeReference))
      .for('update')
    const [known] = await tx
      .select()
      .from(sandboxRefunds)
      .where(eq(sandboxRefunds.reference, refundId))
    if (known) return toSandboxRefundOutcome(known, now)
    if (!charge || !isPaid(charge)) return { status: 'failed', reason: 'refused' }
    const left = charge.amountCents - (await sumSandboxRefunds(tx, chargeReference))
    if (amountCents > left) return { status: 'failed', reason: 'refused' }

    const row = { reference: refundId, chargeReference, amountCents, createdAt: now.toISOString() }
    await tx.insert(sandboxRefunds).values(row)
    return toSandboxRefundOutcome(row, now)
  })
}

export async function findSandboxRefund(
  db: Database,
  refundId: string,
  now: Date,
): Promise<RefundOutcome> {
  const [row] = await db.select().from(sandboxRefunds).where(eq(sandboxRefunds.reference, refundId))
  return row ? toSandboxRefundOutcome(row, now) : { status: 'unknown' }
}

function toSandboxRefundOutcome(
  { reference, amountCents, createdAt }: SandboxRefundRow,
  now: Date,
): RefundOutcome {
  const ending = amountCents % 100
  if (ending === REFUSED_ENDING) return { status: 'failed', reason: 'insufficient_balance' }
  const slow = ending === SLOW_ENDING && now.getTime() - Date.parse(createdAt) < SLOW_REFUND_MS
  return { status: slow ? 'processing' : 'succeeded', reference }
}

async function sumSandboxRefunds(tx: Transaction, chargeReference: string) {
  const [row] = await tx
    .select({ cents: sql<string>`coalesce(sum(amount_cents), 0)` })
    .from(sandboxRefunds)
    .where(sql`charge_reference = ${chargeReference} and amount_cents % 100 <> ${REFUSED_ENDING}`)
  return Number(requireFound(row).cents)
}
