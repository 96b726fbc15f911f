// Fills an empty database with two years of one company.
import pg from 'pg'
import { connectDatabase } from '../../../src/database/connect.ts'
import { bookMovements } from '../../../src/movements/book.ts'
import { fillTable } from './bulk.ts'
import * as statements from './statements.ts'
import { fillWords } from './write-words.ts'

export type Size = { transactions: number; links: number; customers: number }

/** In the order in which one is made of the other. */
const TABLES = [
  ['customers', statements.CUSTOMERS],
  ['payment_links', statements.LINKS],
  ['transactions', statements.TRANSACTIONS],
  ['incoming_payments', statements.INCOMING],
  ['refunds', statements.REFUNDS],
  ['disputes', statements.DISPUTES],
  ['events', statements.EVENTS],
  ['transaction_steps', statements.STEPS],
  ['webhook_deliveries', statements.DELIVERIES],
  ['webhook_attempts', statements.ATTEMPTS],
  ['audit_entries', statements.AUDIT],
] as const

type FillOptions = { companyId: string; size: Size; print(text: string): void }

export async function fillDatabase(url: string, { companyId, size, print }: FillOptions) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set maintenance_work_mem = '1GB'; set work_mem = '256MB'`)
  await client.query('set synchronous_commit = off')
  for (const text of statements.FUNCTIONS) await client.query(text)
  const names = {
    ...{ company: `'${companyId}'`, links: `${size.links}::bigint` },
    customers: `${size.customers}::bigint`,
    transactions: `${size.transactions}::bigint`,
    until: `${Date.now()}::bigint`,
  }
  for (const [table, text] of TABLES) {
    const startedAt = performance.now()
    let rows = 0
    await fillTable(client, table, async () => {
      rows = (await client.query(bindNames(text, names))).rowCount ?? 0
    })
    const seconds = (performance.now() - startedAt) / 1_000
    print(`${table.padEnd(20)} ${String(rows).padStart(9)} rows in ${seconds.toFixed(0)} s`)
  }
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
  while (await fillWords(db));
  await db.$client.end()
  await client.query('vacuum (analyze) movements, transactions, payment_links, customers')
  print(`${'words'.padEnd(20)} in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
}

function bindNames(text: string, names: Record<string, string>) {
  return text.replace(/(?<!:):([a-z]+)/g, (whole, name) => names[name] ?? whole)
}
