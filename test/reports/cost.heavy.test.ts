// What sums cost among very many payments: whole days are read as sums, a part of a day from one index.
import { beforeAll, expect, test } from 'vitest'
import { foldRevenue } from '../../src/reports/fold.ts'
import { buildReport } from '../../src/reports/reports.ts'
import { sumLinkRevenue } from '../../src/reports/revenue.ts'
import { loadSummary } from '../../src/reports/summary.ts'
import { listLatestPayments } from '../../src/transactions/list/list.ts'
import { openPayments, type TestMerchant } from '../support/payments.ts'
import {
  countRowsTouched,
  explainStatements,
  listPlanNodes,
  type QueryPlan,
} from '../support/postgres/query-plans.ts'
import { withConnection } from '../support/postgres/statement.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, url } = testApp
const { newMerchant, addLink, addPayment } = openPayments(testApp)

type Run = (tx: typeof db) => unknown

const ROWS = 6_000
/** Of the last payment; before it there is one every ten minutes. */
const NOW = new Date('2026-11-21T15:00:00.000Z')
const DAY_ROWS = 24 * 6
const RANGE = { from: '2026-11-15', to: '2026-11-17' }

let testMerchant: TestMerchant
let otherLink: string

beforeAll(async () => {
  testMerchant = await newMerchant()
  otherLink = await addLink(testMerchant, 'Raro')
  const often = await addPayment(testMerchant, NOW.toISOString(), { tags: ['comum'] })
  const seldom = await addPayment(testMerchant, NOW.toISOString(), { paymentLinkId: otherLink })
  await withConnection(url, async (connection) => {
    await connection.query(COPY, [often, ROWS, 1, 1, NOW.getTime()])
    await connection.query(COPY, [seldom, ROWS, 500, 2, NOW.getTime()])
    await connection.query(RECEIVE)
    while ((await foldRevenue(db, 5_000)) > 0);
    // Pages that somebody might still see otherwise are left out of it.
    for (let visible = false; !visible; ) {
      await connection.query('vacuum analyze')
      const { rows } = await connection.query(
        `select relallvisible = relpages as all from pg_class where relname = 'transactions'`,
      )
      visible = rows[0].all
    }
  })
}, 300_000)

const COPY = `
  insert into transactions
  select (jsonb_populate_record(one, jsonb_build_object(
    'id', lpad(to_hex($5::bigint - n * 600000::bigint), 12, '0') || '7000' || '8' || lpad(to_hex($4::int), 3, '0') || lpad(to_hex(n), 12, '0'),
    'token', one.token || n, 'attempt_token', one.attempt_token || n,
    'method', case when n % 3 = 0 then 'credit_card' else 'pix' end,
    'created_at', to_timestamp($5::bigint / 1000 - n * 600),
    'approved_at', to_timestamp($5::bigint / 1000 - n * 600)
  ))).*
  from transactions one, generate_series(1, $2::int) n where one.id = $1 and n % $3::int = 0`

/** What came in for each; of two it was more than the sale. */
const RECEIVE = `
  insert into incoming_payments
    (id, company_id, transaction_id, provider, end_to_end_id, amount_cents, surplus_cents, paid_at)
  select id, company_id, id, 'sandbox', id::text, total_cents,
    case when row_number() over (order by id) <= 2 then 1 else 0 end, created_at
  from transactions`

/** How Postgres carried out each statement on sums and payments that `work` made. */
async function explainSums(work: () => Promise<unknown>) {
  const plans = await explainStatements(db, /from "?(?:transactions|daily_)/, work)
  expect(plans.length).toBeGreaterThan(0)
  return plans.map(listPlanNodes)
}

/** Rows that were looked at in a table, wanted or not, by way of each index. */
function readOf(nodes: QueryPlan[], table = 'transactions') {
  const scans = nodes.filter((node) => node['Relation Name'] === table)
  return scans.map((node) => ({
    by: node['Index Name'] ?? node['Node Type'],
    how: node['Node Type'],
    heap: node['Heap Fetches'],
    rows: countRowsTouched(node),
  }))
}

test.each([
  ['month', 'daily_revenue'],
  ['method', 'daily_revenue'],
  ['link', 'daily_link_revenue'],
  ['tag', 'daily_tag_revenue'],
] as const)('a report by %s reads the sums of its days, and no payment', async (kind, table) => {
  // Statements are seen on their way to the pool, which those of a transaction are not.
  const loose = Object.assign(Object.create(db), { transaction: (run: Run) => run(db) })
  const plans = await explainSums(() => buildReport(loose, testMerchant.companyId, kind, RANGE))

  const nodes = plans.flat()
  expect(readOf(nodes)).toEqual([])
  const read = readOf(nodes, table)
  expect(read).not.toEqual([])
  for (const { rows, how } of read) {
    // Of each of two days, by two methods and of two links.
    expect(rows).toBeLessThanOrEqual(4)
    expect(how).not.toBe('Seq Scan')
  }
})

test('the start page reads sums of days, and of a day in part its payments from the index alone', async () => {
  const day = new Date(NOW.getTime() - 38 * 24 * 3_600_000)
  const plans = await explainSums(() => loadSummary(db, testMerchant.companyId, day))

  const reads = plans.flatMap((nodes) => readOf(nodes))
  const parts = reads.filter(({ by }) => by === 'transactions_received')
  // Today and the last day of each period before, up to noon.
  expect(parts).toHaveLength(4)
  for (const part of parts) {
    expect(part).toMatchObject({ how: 'Index Only Scan', heap: 0 })
    expect(part.rows).toBeLessThan(DAY_ROWS)
  }
  expect(reads.filter(({ how }) => how === 'Seq Scan')).toEqual([])
})

test('payments with a surplus are counted without a look at the others', async () => {
  const plans = await explainStatements(db, /incoming_payments/, () =>
    loadSummary(db, testMerchant.companyId, NOW),
  )

  expect(plans).toHaveLength(1)
  for (const node of plans.flatMap(listPlanNodes)) {
    expect(countRowsTouched(node)).toBeLessThanOrEqual(2)
  }
})

test('what a link has earned is read from the sums of its days', async () => {
  const plans = await explainSums(() => sumLinkRevenue(db, testMerchant.companyId, otherLink))

  const nodes = plans.flat()
  expect(readOf(nodes)).toEqual([])
  const [read] = readOf(nodes, 'daily_link_revenue')
  expect(read!.rows).toBeLessThanOrEqual(ROWS / 500 + 1)
})

test('the last payments are read from the end of a list', async () => {
  const asked = 10
  const [nodes] = await explainSums(() => listLatestPayments(db, testMerchant.companyId, asked))

  for (const { rows } of readOf(nodes!)) expect(rows).toBeLessThanOrEqual(500)
})
