// Finds payments and refunds in progress at an account. Only that account can say how they end, so it cannot be removed
// before, and is replaced only after a confirmation.

import type { Database, Db, Transaction } from '../database/connect.ts'
import { and, eq, inArray, isNotNull, or, sql } from '../database/drizzle.ts'
import { OPEN_STATUSES } from '../database/enums.ts'
import { refunds, transactions } from '../database/tables.ts'
import { conflictError } from '../http/errors.ts'
import { type ChargeKey, type ConnectionStep, type Provider, ProviderDown } from './provider.ts'
import type { RealProvider } from './registry.ts'
import { providerAccountTexts } from './texts.ts'

type AccountKey = { companyId: string; provider: RealProvider }

/** One of them may have been deleted at the provider by hand, but not all. */
const MAX_ASKED_PAYMENTS = 3

/** Throws 409. */
export async function requireNoOpenPayments(tx: Transaction, key: AccountKey) {
  const [underWay] = await selectUnderWay(tx, key).limit(1)
  if (underWay) throw conflictError('payments_under_way', providerAccountTexts.underWay)
}

/** Tests whether an account knows the payments in progress; no step without any. */
export async function testPaymentsUnderWay(
  db: Database,
  { now, ...key }: AccountKey & { now: Date },
  account: Provider,
): Promise<ConnectionStep[]> {
  const known = isNotNull(transactions.providerReference)
  const rows = await selectUnderWay(db, key, known).limit(MAX_ASKED_PAYMENTS)
  if (rows.length === 0) return []
  for (const row of rows) {
    if (await hasCharge(account, row, now)) return [{ step: 'payments', ok: true }]
  }
  return [{ step: 'payments', ok: false, reason: providerAccountTexts.otherAccount }]
}

/** Whether the account knows the charge, in any state: another account knows nothing of it. */
async function hasCharge(account: Provider, row: typeof transactions.$inferSelect, now: Date) {
  const { id: transactionId, providerReference: reference, ...rest } = row
  const { createdAt, method, pixTxid, amountCents, totalCents } = rest
  const key = { transactionId, createdAt, reference, method, pixTxid, amountCents, totalCents }
  const charge: ChargeKey = { ...key, endToEndIds: [] }
  try {
    return (await account.find(charge, now)).status !== 'unknown'
  } catch (error) {
    return !(error instanceof ProviderDown)
  }
}

function selectUnderWay(
  db: Db,
  { companyId, provider }: AccountKey,
  more?: ReturnType<typeof sql>,
) {
  return db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.companyId, companyId),
        eq(transactions.provider, provider),
        or(
          inArray(transactions.status, OPEN_STATUSES),
          sql`exists (select from ${refunds} where ${refunds.transactionId} = ${transactions.id} and ${refunds.status} = 'pending')`,
        ),
        more,
      ),
    )
}
