// What a company tells of its providers' terms, in each environment by itself: what they keep of a payment, by
// method and number of installments, and when they pay out the rest. What is told holds for what is approved
// from then on.

import { isDeepStrictEqual } from 'node:util'
import type { Database, Db } from '../database/connect.ts'
import { asc, eq } from '../database/drizzle.ts'
import type { PaymentMethod } from '../database/enums.ts'
import { companies, payoutTerms } from '../database/tables.ts'
import { getEntries } from '../record.ts'

/** A row of it: from this number of installments up to the next that is told. */
type FeeRow = { installments: number; rateBps: number; fixedCents: number }

/** Of a method. A part for each installment, 30 days after the one before, or all after so many days. */
export type MethodTerms = { payoutDays: number; byInstallment: boolean; fees: FeeRow[] }

/** Null where nothing is told. */
export type PayoutTerms = Record<PaymentMethod, MethodTerms | null>

export const MAX_FEE_RATE_BPS = 3_000
export const MAX_FIXED_FEE_CENTS = 500
export const MAX_PAYOUT_DAYS = 90
/** From one installment that is paid out to the next. */
export const PART_INTERVAL_DAYS = 30

export async function findPayoutTerms(db: Db, companyId: string): Promise<PayoutTerms> {
  const rows = await db
    .select()
    .from(payoutTerms)
    .where(eq(payoutTerms.companyId, companyId))
    .orderBy(asc(payoutTerms.installments))
  return { pix: toMethodTerms(rows, 'pix'), credit_card: toMethodTerms(rows, 'credit_card') }
}

type TermsRow = typeof payoutTerms.$inferSelect

function toMethodTerms(rows: TermsRow[], wanted: PaymentMethod): MethodTerms | null {
  const own = rows.filter(({ method }) => method === wanted)
  const [first] = own
  if (!first) return null
  const { payoutDays, byInstallment } = first
  const fees = own.map(({ installments, rateBps, fixedCents }) => ({
    ...{ installments, rateBps, fixedCents },
  }))
  return { payoutDays, byInstallment, fees }
}

/**
 * In the place of `before`, unless somebody has changed that meanwhile: then nothing is written, and the answer
 * is false.
 */
export async function replacePayoutTerms(
  db: Database,
  companyId: string,
  { before, after }: { before: PayoutTerms; after: PayoutTerms },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const own = eq(payoutTerms.companyId, companyId)
    await tx
      .select({ id: companies.id })
      .from(companies)
      .where(eq(companies.id, companyId))
      .for('no key update')
    if (!isDeepStrictEqual(await findPayoutTerms(tx, companyId), before)) return false
    await tx.delete(payoutTerms).where(own)
    const rows = buildTermsRows(companyId, after)
    if (rows.length > 0) await tx.insert(payoutTerms).values(rows)
    return true
  })
}

export function buildTermsRows(companyId: string, told: PayoutTerms): TermsRow[] {
  return getEntries(told).flatMap(([method, terms]) => {
    if (!terms) return []
    const { fees, ...payout } = terms
    return fees.map((fee) => ({ companyId, method, ...fee, ...payout }))
  })
}
