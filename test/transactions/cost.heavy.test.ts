// What a page of transactions costs among very many: it is read in its order from one index.
import { beforeAll, expect, test } from 'vitest'
import { listTransactions } from '../../src/transactions/list.ts'
import { listSortedTransactions } from '../../src/transactions/listing/sorted.ts'
import { searchPayment } from '../../src/transactions/search.ts'
import { buildTestCard, openCheckout } from '../support/payer.ts'
import {
  countRowsTouched,
  explainStatements,
  listPlanNodes,
  type QueryPlan,
} from '../support/postgres/query-plans.ts'
import { withConnection } from '../support/postgres/statement.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, url, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)

const ROWS = 20_000
const LIMIT = 20
const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

let company: TestCompany
let common: { linkId: string }
let rare: { linkId: string; customerId: string }

type Query = Record<string, string> | [string, string][]

beforeAll(async () => {
  company = await newCompany()
  const often = (
    await pay(
      await newLink({ tags: ['comum'], metadata: { canal: 'loja' } }, company),
      buildTestCard('ok'),
    )
  ).row
  const seldom = await newLink(
    { ...{ tags: ['raro', 'comum'], externalReference: 'PED-1' }, metadata: { pedido: '1' } },
    company,
  )
  const other = (await pay(seldom, buildTestCard('generic', { taxId: '111.444.777-35' }))).row
  common = { linkId: often.paymentLinkId }
  rare = { linkId: seldom.id, customerId: other.customerId }
  await withConnection(url, async (connection) => {
    await connection.query(COPY, [often.id, ROWS, 1, 0])
    await connection.query(COPY, [other.id, ROWS, 500, 7])
    await connection.query(HOLD)
    await connection.query(RECEIVE, [company.id])
    await connection.query('vacuum analyze')
  })
}, 120_000)

const COPY = `
  insert into transactions
  select (jsonb_populate_record(one, jsonb_build_object(
    'id', lpad(to_hex(1750000000000 + n * 1000), 12, '0') || '7000' || '8' || lpad(to_hex($4::int), 3, '0') || lpad(to_hex(n), 12, '0'),
    'token', one.token || n, 'attempt_token', one.attempt_token || n, 'provider_reference', null,
    'method', case when $4::int = 7 then 'pix' else one.method end,
    'created_at', to_timestamp(1750000000 + n),
    'updated_at', to_timestamp(1750000000 + n),
    'approved_at', case when one.approved_at is not null then to_timestamp(1750000000 + n) end
  ))).*
  from transactions one, generate_series(1, $2::int) n where one.id = $1 and n % $3::int = 0`

/** One in a thousand is held, for any reason. */
const HOLD = `
  update transactions set hold_reason = 'x', received_cents = 1, status = 'pending', approved_at = null
  where id in (select id from transactions where status = 'approved' order by id limit ${ROWS / 1000})`

/** What came in for each; of two it was more than the sale. */
const RECEIVE = `
  insert into incoming_payments
    (id, company_id, transaction_id, provider, end_to_end_id, amount_cents, surplus_cents, paid_at)
  select id, company_id, id, 'sandbox', id::text, total_cents,
    case when row_number() over (order by id) <= 2 then 1 else 0 end, created_at
  from transactions where company_id = $1 and approved_at is not null`

/** What was asked of transactions meanwhile, as it was carried out. */
async function listNodes(work: () => Promise<unknown>) {
  const plans = await explainStatements(db, /from "?transactions/, work)
  expect(plans.length).toBeGreaterThan(0)
  return plans.flatMap(listPlanNodes)
}

async function listAndExplain(query: Query) {
  const parameters = new URLSearchParams([...new URLSearchParams(query), ['limit', `${LIMIT}`]])
  let page: { data: unknown[]; hasMore: boolean } | undefined
  const nodes = await listNodes(async () => {
    page = (await company.get(`/api/transactions?${parameters}`)).json()
  })
  return { page, nodes }
}

function scannedOf(nodes: QueryPlan[]) {
  const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
  return scanned.map((node) => node['Relation Name'])
}

const PAGE = { limit: LIMIT, cursor: NEWEST }
const HELD_OF_TAG = { held: true as const, tag: ['comum'] }

test.each([
  ['nothing', () => ({}), 20],
  ['a common status', () => ({ status: 'approved' }), 20],
  ['a rare status', () => ({ status: 'declined' }), 20],
  ['a status that none has', () => ({ status: 'refunded' }), 0],
  ['a common method', () => ({ method: 'credit_card' }), 20],
  ['a rare method', () => ({ method: 'pix' }), 20],
  ['a link', () => ({ paymentLinkId: rare.linkId }), 20],
  ['a customer', () => ({ customerId: rare.customerId }), 20],
  ['a reference', () => ({ externalReference: 'PED-1' }), 20],
  ['a common tag', () => ({ tag: 'comum' }), 20],
  ['a rare tag', () => ({ tag: 'raro' }), 20],
  ['a common pair', () => ({ 'metadata[canal]': 'loja' }), 20],
  ['a rare pair', () => ({ 'metadata[pedido]': '1' }), 20],
  ['a pair that none has', () => ({ 'metadata[pedido]': '2' }), 0],
  ['when they were approved', () => ({ approvedFrom: '2025-06-15T15:10:00Z' }), 20],
  ['when they changed', () => ({ updatedTo: '2025-06-15T19:00:00Z' }), 20],
  ['a tag that none has', () => ({ tag: 'nenhum' }), 0],
  ['a time', () => ({ from: '2025-06-15T15:10:00Z', to: '2025-06-15T15:15:00Z' }), 20],
  ['a tag and a time', () => ({ tag: 'comum', to: '2025-06-15T19:00:00Z' }), 20],
])('a page narrowed by %s reads little more than the page', async (_by, query, count) => {
  const { page, nodes } = await listAndExplain(query())

  expect(page?.data).toHaveLength(count)
  expect(scannedOf(nodes)).not.toContain('transactions')
  expect(scannedOf(nodes)).not.toContain('transaction_tags')
  for (const node of nodes) expect(countRowsTouched(node)).toBeLessThanOrEqual(2 * (LIMIT + 1))
})

test.each([
  [
    'a rare and a common tag',
    (): Query => [
      ['tag', 'raro'],
      ['tag', 'comum'],
    ],
    20,
  ],
  [
    'a common and a rare tag',
    (): Query => [
      ['tag', 'comum'],
      ['tag', 'raro'],
    ],
    2,
  ],
  [
    'when they were approved, and a method',
    () => ({ approvedTo: '2025-06-15T19:00:00Z', method: 'pix' }),
    0,
  ],
  ['a tag and a status', () => ({ tag: 'raro', status: 'declined' }), 20],
  ['a method and a status', () => ({ method: 'pix', status: 'declined' }), 20],
  ['what never meets', () => ({ method: 'pix', status: 'approved' }), 0],
  ['a link and a status', () => ({ paymentLinkId: common.linkId, status: 'declined' }), 0],
])('a page narrowed by %s looks through a stretch at most', async (_by, query, count) => {
  const { page, nodes } = await listAndExplain(query())

  expect(page?.data).toHaveLength(count)
  expect(page?.hasMore).toBe(true)
  expect(scannedOf(nodes)).not.toContain('transactions')
  for (const node of nodes) expect(countRowsTouched(node)).toBeLessThanOrEqual(21 * LIMIT)
})

const TEST_TXID = 'PL01975000000070008000000'
const BANK_TXID = 'PL01975000000070008000000000000000'
test.each<[string, () => Promise<unknown>]>([
  ['what is held', () => listTransactions(db, company.id, { ...PAGE, held: true })],
  ['what is held of a tag', () => listTransactions(db, company.id, { ...PAGE, ...HELD_OF_TAG })],
  ['an id', () => searchPayment(db, company.id, NEWEST)],
  ['a txid of a test', () => searchPayment(db, company.id, TEST_TXID)],
  ['a txid of a bank', () => searchPayment(db, company.id, BANK_TXID)],
  ['an end-to-end id', () => searchPayment(db, company.id, 'E00000000202506151200abcdefghijk')],
  ['a reference', () => searchPayment(db, company.id, 'PED-1')],
  ['no reference', () => searchPayment(db, company.id, 'PED-2')],
])('%s is found without a look at the others', async (_what, find) => {
  const nodes = await listNodes(find)

  expect(scannedOf(nodes)).not.toContain('transactions')
  for (const node of nodes) expect(countRowsTouched(node)).toBeLessThanOrEqual(2 * (LIMIT + 1))
})

test.each([
  ['the largest', true],
  ['the smallest', false],
])('%s first, each page reads little more than itself', async (_which, isDescending) => {
  const sort = { by: 'totalCents', isDescending } as const
  const list = (cursor: string) => listSortedTransactions(db, company.id, { ...PAGE, cursor }, sort)
  const { rows: first } = await list(NEWEST)

  const nodes = [
    ...(await listNodes(() => list(NEWEST))),
    ...(await listNodes(() => list(first[LIMIT - 1]!.id))),
  ]

  expect(scannedOf(nodes)).not.toContain('transactions')
  for (const node of nodes) expect(countRowsTouched(node)).toBeLessThanOrEqual(2 * (LIMIT + 1))
})

test('short pages lead to all there is, and to an end', async () => {
  const found: string[] = []
  const query = new URLSearchParams({ tag: 'comum', status: 'declined', limit: '100' })
  for (let more = true, pages = 0; more && pages < 50; pages++) {
    const page = (await company.get(`/api/transactions?${query}`)).json()
    for (const { id } of page.data) found.push(id)
    if (page.nextCursor) query.set('cursor', page.nextCursor)
    more = page.hasMore
  }

  expect(found).toHaveLength(ROWS / 500 + 1)
  expect(found).toEqual([...new Set(found)].toSorted().reverse())
})
