// Fills an empty database with two years of one company.
import pg from 'pg'
import { connectDatabase } from '../../../src/database/connect.ts'
import { listMigrations } from '../../../src/database/migrations/files.ts'
import { foldSearch } from '../../../src/search/fold.ts'
import { listFillStatements } from '../../support/migrations/daily-revenue.ts'
import { fillTable } from './bulk.ts'
import * as statements from './statements.ts'

export type Size = { transactions: number; links: number; customers: number }

/** In the order in which one is made of the other. */
const TABLES = [
  ['customers', statements.CUSTOMERS],
  ['customer_words', statements.CUSTOMER_WORDS],
  ['payment_links', statements.LINKS],
  ['payment_link_tags', statements.LINK_TAGS],
  ['transactions', statements.TRANSACTIONS],
  ['transaction_tags', statements.TRANSACTION_TAGS],
  ['incoming_payments', statements.INCOMING],
  ['refunds', statements.REFUNDS],
  ['disputes', statements.DISPUTES],
  ['events', statements.EVENTS],
  ['transaction_steps', statements.STEPS],
  ['webhook_deliveries', statements.DELIVERIES],
  ['webhook_attempts', statements.ATTEMPTS],
  ['audit_entries', statements.AUDIT],
] as const

const SEARCH_BATCH_SIZE = 2_000

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
  for (const statement of listFillStatements()) await client.query(statement)
  await client.query(
    'vacuum (analyze) daily_revenue, daily_link_revenue, daily_tag_revenue, link_revenue',
  )
  await fillSearch(client, url, print)
  await client.end()
}

/** As after the migration, by the program itself. */
async function fillSearch(client: pg.Client, url: string, print: (text: string) => void) {
  const noted = listMigrations().find(({ tag }) => tag.endsWith('_search_noted'))
  for (const statement of noted?.statements ?? []) await client.query(statement)
  const startedAt = performance.now()
  const db = connectDatabase(url)
  let rows = 0
  for (let some = 1; some > 0; rows += some) some = await foldSearch(db, SEARCH_BATCH_SIZE)
  await db.$client.end()
  await client.query('vacuum (analyze) search_entries, search_changes')
  const seconds = (performance.now() - startedAt) / 1_000
  print(
    `${'search_entries'.padEnd(20)} ${String(rows).padStart(9)} rows in ${seconds.toFixed(0)} s`,
  )
}

function bindNames(text: string, names: Record<string, string>) {
  return text.replace(/(?<!:):([a-z]+)/g, (whole, name) => names[name] ?? whole)
}
