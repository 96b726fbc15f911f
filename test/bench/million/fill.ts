// Fills an empty database with two years of one company.
import pg from 'pg'
import { connectDatabase, type Database } from '../../../src/database/connect.ts'
import { gt, sql } from '../../../src/database/drizzle.ts'
import { MIN_UUID } from '../../../src/database/id.ts'
import { customers, paymentLinks, transactions } from '../../../src/database/tables.ts'
import { listCustomerWords, listLinkWords, listPaymentWords } from '../../../src/lists/words.ts'
import { bookMovements } from '../../../src/movements/book.ts'
import * as statements from './statements.ts'

export type Size = { transactions: number; links: number; customers: number }

/** In the order in which one is made of the other. */
const TABLES = [
  ['customers', statements.CUSTOMERS],
  ['payment_links', statements.LINKS],
  ['transactions', statements.TRANSACTIONS],
  ['incoming_payments', statements.INCOMING],
  ['refunds', statements.REFUNDS],
  ['events', statements.EVENTS],
  ['webhook_deliveries', statements.DELIVERIES],
] as const

type FillOptions = { companyId: string; size: Size; print(text: string): void }

export async function fillDatabase(url: string, { companyId, size, print }: FillOptions) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set maintenance_work_mem = '1GB'; set work_mem = '256MB'`)
  // Neither triggers nor foreign keys look at what comes in.
  await client.query('set synchronous_commit = off; set session_replication_role = replica')
  for (const text of statements.FUNCTIONS) await client.query(text)
  const names = {
    ...{ company: `'${companyId}'`, links: `${size.links}::bigint` },
    customers: `${size.customers}::bigint`,
    transactions: `${size.transactions}::bigint`,
    until: `${Date.now()}::bigint`,
  }
  for (const [table, text] of TABLES) {
    const startedAt = performance.now()
    const { rowCount } = await client.query(bindNames(text, names))
    const seconds = (performance.now() - startedAt) / 1_000
    print(`${table.padEnd(20)} ${String(rowCount).padStart(9)} rows in ${seconds.toFixed(0)} s`)
  }
  await client.query('vacuum analyze')
  await writeBookAndWords(client, url, print)
  await client.end()
}

/** What the program itself would have written with each row. */
async function writeBookAndWords(client: pg.Client, url: string, print: (text: string) => void) {
  const db = connectDatabase(url)
  const bookedAt = performance.now()
  const { rows } = await client.query<{ ids: string[] }>(`
    select array_agg(id) as ids from (
      select id, row_number() over (order by id) / 2000 as part from transactions where approved_at is not null
    ) payment group by part`)
  for (const { ids } of rows) await bookMovements(db, ids, { bookedAt: null })
  print(`${'movements'.padEnd(20)} in ${((performance.now() - bookedAt) / 1_000).toFixed(0)} s`)
  const startedAt = performance.now()
  await writeWords(db, customers, listCustomerWords)
  const titles = new Map<string, string>()
  await writeWords(db, paymentLinks, (link) => {
    titles.set(link.id, link.title)
    return listLinkWords(link)
  })
  await writeWords(db, transactions, (payment) =>
    listPaymentWords({ ...payment, linkTitle: titles.get(payment.paymentLinkId)! }),
  )
  await db.$client.end()
  await client.query('vacuum (analyze) movements, transactions, payment_links, customers')
  print(`${'words'.padEnd(20)} in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
}

const BATCH_SIZE = 2_000

/** The words that the rows of a table are found by. */
async function writeWords<
  Table extends typeof customers | typeof paymentLinks | typeof transactions,
>(db: Database, table: Table, listWords: (row: Table['$inferSelect']) => string[]) {
  for (let last = MIN_UUID; ; ) {
    const rows = await db
      .select()
      .from(table as typeof customers)
      .where(gt(table.id, last))
      .orderBy(table.id)
      .limit(BATCH_SIZE)
    const entries = rows.map((row) => ({
      id: row.id,
      words: listWords(row as Table['$inferSelect']),
    }))
    await db.execute(sql`
      update ${table} filled set words = array_to_tsvector(entry.words)
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry (id uuid, words text[])
      where filled.id = entry.id`)
    if (rows.length < BATCH_SIZE) return
    last = rows.at(-1)!.id
  }
}

function bindNames(text: string, names: Record<string, string>) {
  return text.replace(/(?<!:):([a-z]+)/g, (whole, name) => names[name] ?? whole)
}
