// Finds a payment by its id, the txid or end-to-end id of its Pix, or the company's own reference, each by an index.

import type { Database } from '../database/connect.ts'
import { and, eq, gte, inArray, lte, type SQL } from '../database/drizzle.ts'
import { PROVIDER_NAMES } from '../database/enums.ts'
import { isUuid } from '../database/id.ts'
import { incomingPayments, transactions } from '../database/tables.ts'
import { parseTxidBounds } from './txid.ts'

/** `E`, the payer's bank, the minute in UTC, and the bank's own part (Manual de Padrões do Pix). */
const END_TO_END_ID_PATTERN = /^E\d{8}20\d{10}[0-9A-Za-z]{11}$/

/** Undefined when the company has no such payment. */
export async function searchPayment(
  db: Database,
  companyId: string,
  word: string,
): Promise<{ id: string } | { externalReference: string } | undefined> {
  const findId = (named: SQL | undefined) =>
    findFirstId(db, and(eq(transactions.companyId, companyId), named))
  const { id: ownId, pixTxid, externalReference } = transactions
  if (isUuid(word)) return toMatch(await findId(eq(ownId, word)))
  const bounds = parseTxidBounds(word)
  const ofTxid = bounds && and(gte(ownId, bounds.from), lte(ownId, bounds.to), eq(pixTxid, word))
  const id = (ofTxid && (await findId(ofTxid))) ?? (await findIdByEndToEndId(db, companyId, word))
  if (id) return { id }
  return (await findId(eq(externalReference, word))) ? { externalReference: word } : undefined
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

async function findFirstId(db: Database, condition: SQL | undefined) {
  const [row] = await db
    .select({ id: transactions.id })
    .from(transactions)
    .where(condition)
    .limit(1)
  return row?.id
}

function toMatch(id: string | undefined) {
  return id ? { id } : undefined
}
