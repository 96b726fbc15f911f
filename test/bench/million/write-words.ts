// Writes the words that rows are found by, of rows that SQL made.

import type { Database, Transaction } from '../../../src/database/connect.ts'
import { desc, eq, isNull, sql } from '../../../src/database/drizzle.ts'
import { customers, paymentLinks, transactions } from '../../../src/database/tables.ts'
import { listCustomerWords, listLinkWords, listPaymentWords } from '../../../src/lists/words.ts'

const BATCH_SIZE = 500

/** Of up to 500 rows of each table; whether there are more. */
export async function fillWords(db: Database): Promise<boolean> {
  if (!(await isAnyLacking(db))) return false
  const counts = await db.transaction(async (tx) => [
    await fillPayments(tx),
    await fillLinks(tx),
    await fillCustomers(tx),
  ])
  return counts.some((count) => count === BATCH_SIZE)
}

async function isAnyLacking(db: Database) {
  const { rowCount } = await db.execute(sql`
    select where exists (select from transactions where words is null)
      or exists (select from payment_links where words is null)
      or exists (select from customers where words is null)`)
  return rowCount === 1
}

async function fillPayments(tx: Transaction) {
  const rows = await tx
    .select({ payment: transactions, title: paymentLinks.title })
    .from(transactions)
    .innerJoin(paymentLinks, eq(paymentLinks.id, transactions.paymentLinkId))
    .where(isNull(transactions.words))
    .orderBy(desc(transactions.id))
    .limit(BATCH_SIZE)
    .for('no key update', { of: transactions, skipLocked: true })
  const entries = rows.map(({ payment, title }) => ({
    id: payment.id,
    words: listPaymentWords({ ...payment, linkTitle: payment.linkTitle ?? title }),
  }))
  return writeWords(tx, transactions, entries)
}

async function fillLinks(tx: Transaction) {
  const rows = await tx
    .select()
    .from(paymentLinks)
    .where(isNull(paymentLinks.words))
    .orderBy(desc(paymentLinks.id))
    .limit(BATCH_SIZE)
    .for('no key update', { skipLocked: true })
  const entries = rows.map((link) => ({ id: link.id, words: listLinkWords(link) }))
  return writeWords(tx, paymentLinks, entries)
}

async function fillCustomers(tx: Transaction) {
  const rows = await tx
    .select()
    .from(customers)
    .where(isNull(customers.words))
    .orderBy(desc(customers.id))
    .limit(BATCH_SIZE)
    .for('no key update', { skipLocked: true })
  const entries = rows.map((row) => ({
    id: row.id,
    words: row.anonymizedAt ? [] : listCustomerWords(row),
  }))
  return writeWords(tx, customers, entries)
}

type SearchedTable = typeof transactions | typeof paymentLinks | typeof customers

async function writeWords(
  tx: Transaction,
  table: SearchedTable,
  entries: { id: string; words: string[] }[],
): Promise<number> {
  await tx.execute(sql`
    update ${table} filled set words = array_to_tsvector(entry.words)
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry (id uuid, words text[])
    where filled.id = entry.id`)
  return entries.length
}
