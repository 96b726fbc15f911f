// Finds a payment by its id, the txid or end-to-end id of its Pix, or the company's own reference, each by an index.

import type { Database } from '../database/connect.ts'
import { and, eq, gte, inArray, lte, type SQL } from '../database/drizzle.ts'
import { PROVIDER_NAMES } from '../database/enums.ts'
import { isUuid } from '../database/id.ts'
import { incomingPayments, transactions } from '../database/tables.ts'
import { parseTxidBounds } from './txid.ts'

type PaymentMatch = { id: string } | { externalReference: string }

/** `E`, the payer's bank, the minute in UTC, and the bank's own part (Manual de Padrões do Pix). */
const END_TO_END_ID_PATTERN = /^E\d{8}20\d{10}[0-9A-Za-z]{11}$/

/** Undefined when the company has no such payment. */
export async function searchPayment(
  db: Database,
  companyId: string,
  word: string,
): Promise<PaymentMatch | undefined> {
  if (isUuid(word)) return matchById(db, companyId, word)
  const id =
    (await findIdByTxid(db, companyId, word)) ?? (await findIdByEndToEndId(db, companyId, word))
  return id ? { id } : matchByReference(db, companyId, word)
}

async function matchById(db: Database, companyId: string, word: string) {
  const ours = and(eq(transactions.id, word), eq(transactions.companyId, companyId))
  const id = await findFirstId(db, ours)
  return id ? { id } : undefined
}

async function findIdByTxid(db: Database, companyId: string, txid: string) {
  const bounds = parseTxidBounds(txid)
  if (!bounds) return undefined
  return findFirstId(
    db,
    and(
      eq(transactions.companyId, companyId),
      gte(transactions.id, bounds.from),
      lte(transactions.id, bounds.to),
      eq(transactions.pixTxid, txid),
    ),
  )
}

/** Finds the payment of any received Pix. */
export async function findIdByEndToEndId(db: Database, companyId: string, endToEndId: string) {
  if (!END_TO_END_ID_PATTERN.test(endToEndId)) return undefined
  const [row] = await db
    .select({ id: incomingPayments.transactionId })
    .from(incomingPayments)
    .where(
      and(
        eq(incomingPayments.companyId, companyId),
        // The index has the provider before the id.
        inArray(incomingPayments.provider, PROVIDER_NAMES),
        eq(incomingPayments.endToEndId, endToEndId),
      ),
    )
    .limit(1)
  return row?.id
}

async function matchByReference(db: Database, companyId: string, externalReference: string) {
  const found = await findFirstId(
    db,
    and(
      eq(transactions.companyId, companyId),
      eq(transactions.externalReference, externalReference),
    ),
  )
  return found ? { externalReference } : undefined
}

async function findFirstId(db: Database, condition: SQL | undefined) {
  const [row] = await db
    .select({ id: transactions.id })
    .from(transactions)
    .where(condition)
    .limit(1)
  return row?.id
}
