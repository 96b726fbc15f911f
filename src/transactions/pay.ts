// The walk of one payment: the intent is committed, the provider is asked, the verdict is settled. The
// provider is called outside any database transaction and knows the charge by our id, so whatever
// happens in between, asking it again tells how the charge ended.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import { and, eq, inArray } from '../database/drizzle.ts'
import { gather } from '../database/gather.ts'
import { perDatabase } from '../database/per-database.ts'
import { recordset, snake } from '../database/rows.ts'
import { transactions } from '../database/tables.ts'
import { findLinkById, type LinkRow, readLink } from '../payment-links/payment-link.ts'
import {
  type CardToken,
  type Charge,
  type Outcome,
  ProviderDown,
  type Providers,
  type Refusal,
} from '../providers/provider.ts'
import { hasPlaceLeft, settle } from './settle.ts'
import {
  findByAttempt,
  findTransaction,
  insertTransaction,
  insertTransactionIn,
  type TransactionRow,
} from './transaction.ts'

export type PayNeeds = {
  db: Database
  providers: Providers
  checkoutUrl: string
  log: FastifyBaseLogger
  now: () => Date
  /** Pauses before a charge that the provider would not work on is sent again. */
  retryDelaysMs?: readonly number[]
}

/** Nothing was charged: a link with `maxPayments` has no place left. */
export const NO_PLACE = Symbol('no place')

const RETRY_DELAYS_MS = [200, 600]
const DOWN: Refusal = {
  status: 'declined',
  reference: null,
  declineCode: 'provider_error',
  abecsCode: '91',
  retryable: true,
}
/** After this long without a trace at the provider, a charge never reached it. */
const LOST_MS = 60_000
const CHECK_DELAYS_MS = [5_000, 5_000, 10_000, 20_000, 40_000, 60_000]

type Payment = {
  row: TransactionRow
  link: LinkRow
  merchant: { name: string; city: string }
  /** Used for this charge and not kept. */
  card: CardToken | null
}

/**
 * Pays once for each attempt token: the same token again answers with the first attempt, whose end may
 * still be out.
 */
export async function pay(needs: PayNeeds, { row, link, merchant, card }: Payment) {
  const written =
    link.maxPayments === null
      ? await insertTransaction(needs.db, row)
      : await insertWithPlace(needs.db, row)
  if (written === NO_PLACE) return NO_PLACE
  if (!written) return (await findByAttempt(needs.db, row.paymentLinkId, row.attemptToken))!
  return charge(needs, row, chargeOf(row, merchant, card))
}

/** Asks the provider how a charge stands and applies its answer. */
export async function check(needs: PayNeeds, row: TransactionRow): Promise<TransactionRow> {
  const { id: transactionId, method, pixTxid } = row
  const provider = needs.providers[row.provider]
  return apply(needs, row, await provider.find({ transactionId, method, pixTxid }, needs.now()))
}

async function insertWithPlace(db: Database, row: TransactionRow) {
  return db.transaction(async (tx) => {
    const link = await readLink(tx, row.paymentLinkId)
    if (await findByAttempt(tx, row.paymentLinkId, row.attemptToken)) return false
    if (!(await hasPlaceLeft(tx, link))) return NO_PLACE
    return insertTransactionIn(tx, row)
  })
}

async function charge(needs: PayNeeds, row: TransactionRow, request: Charge) {
  const outcome = await send(needs, row, request)
  return outcome ? apply(needs, row, outcome) : row
}

/** Undefined when nobody knows what became of the charge: the row stays open until `check` does. */
async function send(needs: PayNeeds, row: TransactionRow, request: Charge) {
  const provider = needs.providers[row.provider]
  const delays = needs.retryDelaysMs ?? RETRY_DELAYS_MS
  for (let tries = 0; ; tries++) {
    try {
      return await provider.charge(request, needs.now())
    } catch (error) {
      needs.log.warn({ err: error, transactionId: row.id }, 'a charge failed without a verdict')
      if (!(error instanceof ProviderDown)) return undefined
      const delay = delays[tries]
      if (delay === undefined) return DOWN
      await sleep(delay)
    }
  }
}

async function apply(
  needs: PayNeeds,
  row: TransactionRow,
  outcome: Outcome,
): Promise<TransactionRow> {
  const { db, checkoutUrl } = needs
  const now = needs.now()
  switch (outcome.status) {
    case 'pending':
      return row.pixBrCode && isPast(row, now)
        ? expire(needs, row)
        : recordCode(db, row, outcome, now)
    case 'awaiting_authentication':
      return recordChallenge(db, row, outcome, now)
    case 'processing':
      return postpone(db, row, now)
    case 'unknown':
      return applyUnknown(needs, row, now)
    default: {
      const settled = await settle(db, row, outcome, { checkoutUrl, now })
      return settled ?? reconsider(needs, row, outcome)
    }
  }
}

async function applyUnknown(needs: PayNeeds, row: TransactionRow, now: Date) {
  if (row.method === 'pix') {
    if (isPast(row, now)) return expire(needs, row)
    if (row.pixBrCode) return postpone(needs.db, row, now, row.expiresAt)
    const { company } = (await findLinkById(needs.db, row.paymentLinkId))!
    return charge(needs, row, chargeOf(row, company, null))
  }
  const lost = now.getTime() - Date.parse(row.createdAt) >= LOST_MS
  return lost ? apply(needs, row, DOWN) : postpone(needs.db, row, now)
}

async function expire({ db, checkoutUrl, now }: PayNeeds, row: TransactionRow) {
  const expired = await settle(db, row, { status: 'expired' }, { checkoutUrl, now: now() })
  return expired ?? (await findTransaction(db, row.id))!
}

/** The verdict changed nothing: somebody else was first. Money taken for a payment that we have called declined goes back. */
async function reconsider(needs: PayNeeds, row: TransactionRow, outcome: Outcome) {
  const current = (await findTransaction(needs.db, row.id))!
  if (outcome.status === 'approved' && current.status === 'declined') {
    needs.log.error(
      { transactionId: row.id },
      'approved after it was declined: canceling the charge',
    )
    const { id: transactionId, method, pixTxid } = row
    await needs.providers[row.provider].cancel({ transactionId, method, pixTxid }, needs.now())
  }
  return current
}

/** Asks again later, the more rarely the longer it takes. */
async function postpone(db: Database, row: TransactionRow, now: Date, until: string | null = null) {
  const delay = CHECK_DELAYS_MS[Math.min(row.checks, CHECK_DELAYS_MS.length - 1)]!
  const checkAt = until ?? new Date(now.getTime() + delay).toISOString()
  return change(db, row, { checkAt, checks: Math.min(row.checks + 1, 1_000) })
}

async function recordChallenge(
  db: Database,
  row: TransactionRow,
  { reference, challengeUrl, expiresAt }: Outcome & { status: 'awaiting_authentication' },
  now: Date,
) {
  return change(db, row, {
    status: 'awaiting_authentication',
    providerReference: reference,
    challengeUrl,
    expiresAt,
    checkAt: expiresAt,
    updatedAt: now.toISOString(),
  })
}

/** Changes a card payment or Pix whose verdict is still out; otherwise answers what it has become. */
async function change(db: Database, row: TransactionRow, changes: Partial<TransactionRow>) {
  const [changed] = await db
    .update(transactions)
    .set(changes)
    .where(and(eq(transactions.id, row.id), inArray(transactions.status, OPEN)))
    .returning()
  return changed ?? (await findTransaction(db, row.id))!
}

const OPEN: TransactionRow['status'][] = ['pending', 'processing', 'awaiting_authentication']

async function recordCode(
  db: Database,
  row: TransactionRow,
  { reference, pixBrCode, expiresAt }: Outcome & { status: 'pending' },
  now: Date,
) {
  const code = {
    id: row.id,
    providerReference: reference,
    pixBrCode,
    expiresAt,
    checkAt: expiresAt,
    updatedAt: now.toISOString(),
  }
  await updateCode(db)(code)
  return { ...row, ...code }
}

const CODE = ['providerReference', 'pixBrCode', 'expiresAt', 'checkAt', 'updatedAt'] as const

const updateCode = perDatabase((db: Database) => {
  const text = `update transactions set ${CODE.map((key) => `${snake(key)} = given."${key}"`)}
    from ${recordset(transactions, ['id', ...CODE])}
    where transactions.id = any($2) and transactions.id = given.id and status = 'pending'`
  return gather(async (codes: { id: string }[]) => {
    const values = [JSON.stringify(codes), codes.map(({ id }) => id)]
    await db.$client.query({ name: 'record_pix_codes', text, values })
    return codes
  })
})

function isPast({ expiresAt }: TransactionRow, now: Date) {
  return expiresAt !== null && expiresAt <= now.toISOString()
}

function chargeOf(
  row: TransactionRow,
  merchant: Payment['merchant'],
  card: CardToken | null,
): Charge {
  const common = {
    transactionId: row.id,
    totalCents: row.totalCents,
    merchant: { name: merchant.name, city: merchant.city },
  }
  if (row.method === 'pix') {
    return { ...common, method: 'pix', txid: row.pixTxid!, expiresAt: row.expiresAt! }
  }
  if (!card) throw new Error('A card payment needs a card')
  return { ...common, method: 'credit_card', installments: row.installments, card }
}
