// The fees that a company says its providers charge, for each environment, method and number of installments. New terms
// apply to payments approved afterwards.

import { isDeepStrictEqual } from 'node:util'
import type { Database, Db } from '../database/connect.ts'
import { asc, eq } from '../database/drizzle.ts'
import type { PaymentMethod } from '../database/enums.ts'
import { companies, payoutTerms } from '../database/tables.ts'
import { getEntries } from '../record.ts'

/** A fee applies from this number of installments up to the next row. */
export type FeeRow = { installments: number; rateBps: number; fixedCents: number }

/** An empty list when the company has given no terms. */
export type FeeTerms = Record<PaymentMethod, FeeRow[]>

export const MAX_FEE_RATE_BPS = 3_000
export const MAX_FIXED_FEE_CENTS = 500

export async function findFeeTerms(db: Db, companyId: string): Promise<FeeTerms> {
  const rows = await db
    .select()
    .from(payoutTerms)
    .where(eq(payoutTerms.companyId, companyId))
    .orderBy(asc(payoutTerms.installments))
  const listFees = (wanted: PaymentMethod) =>
    rows
      .filter(({ method }) => method === wanted)
      .map(({ installments, rateBps, fixedCents }) => ({ installments, rateBps, fixedCents }))
  return { pix: listFees('pix'), credit_card: listFees('credit_card') }
}

/** Replaces `before`; returns false and writes nothing when the terms have changed meanwhile. */
export async function replaceFeeTerms(
  db: Database,
  companyId: string,
  { before, after }: { before: FeeTerms; after: FeeTerms },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx
      .select({ id: companies.id })
      .from(companies)
      .where(eq(companies.id, companyId))
      .for('no key update')
    if (!isDeepStrictEqual(await findFeeTerms(tx, companyId), before)) return false
    await tx.delete(payoutTerms).where(eq(payoutTerms.companyId, companyId))
    const rows = buildFeeRows(companyId, after)
    if (rows.length > 0) await tx.insert(payoutTerms).values(rows)
    return true
  })
}

export function buildFeeRows(companyId: string, terms: FeeTerms) {
  return getEntries(terms).flatMap(([method, fees]) =>
    fees.map((fee) => ({ companyId, method, ...fee })),
  )
}
