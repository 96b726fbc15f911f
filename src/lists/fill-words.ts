// Writes the words of rows that a version before this one wrote, which knew no such column: the newest first, since
// they are the ones that people look for.

import type { FastifyBaseLogger } from 'fastify'
import type { Database, Transaction } from '../database/connect.ts'
import { desc, eq, isNull, sql } from '../database/drizzle.ts'
import { customers, paymentLinks, transactions } from '../database/tables.ts'
import { runInterval } from '../queue/interval.ts'
import { listCustomerWords, listLinkWords, listPaymentWords } from './words.ts'

type FillNeeds = { db: Database; log: Pick<FastifyBaseLogger, 'warn'> }

/** While an update is rolled out, processes of the version before still write rows. */
const FILL_INTERVAL_MS = 60_000
const BATCH_SIZE = 500

/** The answer stops it. */
export function startWordsFill({ db, log }: FillNeeds) {
  const failure = 'the words of older rows cannot be written for now'
  return runInterval({ intervalMs: FILL_INTERVAL_MS, log, failure }, () => fillWords(db))
}

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
