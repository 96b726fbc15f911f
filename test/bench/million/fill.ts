// Fills an empty database with two years of one company.
import pg from 'pg'
import { connectDatabase } from '../../../src/database/connect.ts'
import { bookMovements } from '../../../src/movements/book.ts'
import * as statements from './statements.ts'

/** In the order in which one is made of the other. */
const STATEMENTS = [
  ...statements.FUNCTIONS,
  statements.CUSTOMERS,
  statements.LINKS,
  statements.TRANSACTIONS,
  statements.INCOMING,
  statements.REFUNDS,
  statements.EVENTS,
  statements.DELIVERIES,
  'vacuum analyze',
  ...statements.WORDS,
]

/** @param payments how many; there are a tenth as many links and customers */
export async function fillDatabase(url: string, companyId: string, payments: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set maintenance_work_mem = '1GB'; set work_mem = '256MB'`)
  // Neither triggers nor foreign keys look at what comes in.
  await client.query('set synchronous_commit = off; set session_replication_role = replica')
  const names: Record<string, string> = {
    ...{ company: `'${companyId}'`, until: `${Date.now()}::bigint` },
    ...{ transactions: `${payments}::bigint`, links: `${payments / 10}::bigint` },
    customers: `${payments / 10}::bigint`,
  }
  for (const text of STATEMENTS) {
    await client.query(text.replace(/(?<!:):([a-z]+)/g, (whole, name) => names[name] ?? whole))
  }
  await bookPayments(client, url)
  await client.query('vacuum (analyze) movements, transactions, payment_links, customers')
  await client.end()
}

/** What the program itself would have written with each payment. */
async function bookPayments(client: pg.Client, url: string) {
  const { rows } = await client.query<{ ids: string[] }>(`
    select array_agg(id) as ids from (
      select id, row_number() over (order by id) / 2000 as part from transactions where approved_at is not null
    ) payment group by part`)
  const db = connectDatabase(url)
  for (const { ids } of rows) await bookMovements(db, ids, { bookedAt: null })
  await db.$client.end()
}
