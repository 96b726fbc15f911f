// A page of customers costs the same among a thousand and among a million: the plans of the very
// statements that the list runs.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listCustomersByName } from '../../src/customers/by-name.ts'
import { listCustomers } from '../../src/customers/list.ts'
import type { CustomerFilters } from '../../src/customers/schema.ts'
import { MAX_UUID } from '../../src/database/id.ts'
import {
  countRowsTouched,
  explainStatements,
  listPlanNodes,
  type QueryPlan,
} from '../support/postgres/query-plans.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, url, newCompany } = await openTestApp()

const PER_COMPANY = 20_000
const LIMIT = 20
const FIRST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const companies = [await newCompany(), await newCompany(), await newCompany()]
const companyId = companies[1]!.id
const client = new pg.Client({ connectionString: url })
/** The middle of a year in which a customer came every 26 minutes. */
const MIDDLE = '01979000-0000-7000-8000-000000000000'

beforeAll(async () => {
  await client.connect()
  // One in two is a Maria, one in a thousand a Xavier; the first hundred alone are called Zulmira.
  await client.query(
    `insert into customers (id, company_id, name, email, tax_id, created_at, updated_at, anonymized_at)
    select
      (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8000'
        || lpad(to_hex(n * 4 + place), 12, '0'))::uuid,
      company, case when n % 2 = 0 then 'Maria ' else 'João ' end
        || case when n % 1000 = 7 then 'Xavier' else 'da Silva' end
        || case when n < 100 then ' Zulmira' else '' end,
      case when n % 3 = 0 then 'Todos@exemplo.com.br' else 'c' || n || '@exemplo.com.br' end,
      lpad(n::text, 11, '0'), at, at, case when n % 5 = 4 then at end
    from unnest($1::uuid[]) with ordinality owner(company, place), generate_series(1, $2::int) n,
      lateral (select '2025-01-01T00:00:00Z'::timestamptz + n * interval '26 minutes') moment(at)`,
    [companies.map(({ id }) => id), PER_COMPANY],
  )
  await client.query('analyze customers')
  await client.query('analyze customer_words')
}, 60_000)

afterAll(() => client.end())

/** The statement of this list, planned without a look at its values, as in the long run. */
async function listAndExplain(filters: CustomerFilters, cursor: string) {
  let count = 0
  const plans = await explainStatements(
    db,
    /from "customers"/,
    async () => {
      const rows = await listCustomers(db, companyId, { limit: LIMIT, cursor, ...filters })
      count = rows.length
    },
    'force_generic_plan',
  )
  expect(plans).toHaveLength(1)
  return { count, nodes: plans.flatMap(listPlanNodes) }
}

const countRowsOfTables = (nodes: QueryPlan[]) =>
  nodes
    .filter((node) => node['Relation Name'])
    .map(countRowsTouched)
    .reduce((sum, rows) => sum + rows, 0)

test.each<[string, CustomerFilters, number]>([
  ['all', {}, LIMIT + 1],
  ['one document', { taxId: '00000010001' }, 1],
  ['a document of nobody', { taxId: '99999999999' }, 0],
  ['an address of a third of them', { email: 'todos@exemplo.com.br' }, LIMIT + 1],
  ['an address of one', { email: 'C10001@exemplo.com.br' }, 1],
  ['a name of half of them', { name: 'maria' }, LIMIT + 1],
  ['a name of twenty', { name: 'xavier' }, 20],
  ['a name of nobody', { name: 'ninguem' }, 0],
  ['a name of the oldest alone', { name: 'zulmira' }, LIMIT + 1],
  ['two frequent names', { name: 'joao silva' }, LIMIT + 1],
  ['a frequent and a rare name', { name: 'Silva Zulmira' }, LIMIT + 1],
  ['from the last hour on', { createdFrom: '2025-12-28T02:00:00.000Z' }, 1],
  ['until the first hour', { createdTo: '2025-01-01T01:00:00.000Z' }, 2],
  ['a name in the first days', { name: 'silva', createdTo: '2025-01-03T00:00:00.000Z' }, LIMIT + 1],
])('%s: no scan of the table, no sort of more than a page', async (_what, filters, count) => {
  for (const cursor of [FIRST, MIDDLE]) {
    const found = await listAndExplain(filters, cursor)

    if (cursor === FIRST) expect(found.count).toBe(count)
    expect(found.nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    const sorts = found.nodes.filter((node) => node['Node Type'].includes('Sort'))
    for (const sort of sorts) expect(sort['Actual Rows']).toBeLessThanOrEqual(LIMIT + 1)
    expect(countRowsOfTables(found.nodes)).toBeLessThanOrEqual(20 * LIMIT)
  }
})

test.each([false, true])(
  'a page by name is read from the index of names, descending: %s',
  async (isDescending) => {
    const list = (cursor: string) =>
      listCustomersByName(db, companyId, { limit: LIMIT, cursor, isDescending })
    const { rows } = await client.query(
      `select id from customers where company_id = $1 and anonymized_at is null order by fold(name) limit 1 offset 5000`,
      [companyId],
    )

    for (const cursor of [MAX_UUID, rows[0].id]) {
      const plans = await explainStatements(db, /from "customers"/, () => list(cursor))
      const nodes = plans.flatMap(listPlanNodes)

      expect(nodes.map((node) => node['Index Name'])).toContain('customers_by_name')
      expect(countRowsOfTables(nodes)).toBeLessThanOrEqual(LIMIT + 2)
    }
  },
)
