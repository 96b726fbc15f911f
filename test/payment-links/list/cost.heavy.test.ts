// What a page of links costs in another order than that of their making, among very many.
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { listSortedLinks } from '../../../src/payment-links/list/sorted.ts'
import type { LinkFilters } from '../../../src/payment-links/schema.ts'
import { foldRevenue } from '../../../src/reports/fold.ts'
import { selectUnfoldedByLink } from '../../../src/reports/link-revenue.ts'
import { openPayments } from '../../support/payments.ts'
import {
  countRowsRead,
  countRowsTouched,
  explainStatements,
  listPlanNodes,
} from '../../support/postgres/query-plans.ts'
import { withConnection } from '../../support/postgres/statement.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, url } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

const LINKS = 30_000
const LIMIT = 20
const NOW = new Date('2026-11-21T15:00:00.000Z')

let companyId = ''

beforeAll(async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  companyId = merchant.companyId
  await withConnection(url, async (connection) => {
    await connection.query(FILL, [LINKS, [companyId, other.companyId]])
    await connection.query(PAY)
    while ((await foldRevenue(db, 5_000)) > 0);
    // One that no fold has seen.
    await addPayment(merchant, NOW.toISOString())
    await connection.query('vacuum analyze payment_links, link_revenue, revenue_changes')
  })
}, 120_000)

const FILL = `
insert into payment_links (id, company_id, slug, title, amount_cents, methods, max_installments, interest_mode,
  status, tags, metadata)
select (lpad(to_hex(1700000000000 + i), 12, '0') || '70008' || left(md5(i::text), 15))::uuid,
  ($2::uuid[])[i % 2 + 1], 'link' || i, 'Bolo ' || i % 500, 1000 + i % 100 * 100, '{pix,credit_card}', 1, 'absorb',
  case when i % 9 = 0 then 'inactive' else 'active' end, '{}', '{}'
from generate_series(1, $1::int) i`

/** Every third link. */
const PAY = `
insert into revenue_changes (company_id, day, begun_on, method, payment_link_id, tags, decided, payments, gross_cents,
  refunded_cents)
select company_id, '2026-11-20', '2026-11-20', 'pix', id, '{}', 1, 1, 1000 + n % 50 * 100, 0
from (select *, row_number() over (order by slug) as n from payment_links) link where n % 3 = 0`

const SORTS = (['amountCents', 'title', 'received'] as const).flatMap((by) =>
  [true, false].map((isDescending) => ({ by, isDescending })),
)

async function listSorted(filters: LinkFilters, sort: (typeof SORTS)[number], cursor?: string) {
  const place = { limit: LIMIT, ...(cursor !== undefined && { cursor }) }
  const unfoldedByLink = selectUnfoldedByLink(companyId)
  return listSortedLinks(db, companyId, { ...filters, ...place, sort, unfoldedByLink }, NOW)
}

test.each(
  SORTS.flatMap((sort) => [
    { ...sort, filters: {} },
    { ...sort, filters: { status: 'active' } as const },
  ]),
)('a page reads little more than itself: %j', async ({ filters, ...sort }) => {
  const { rows: first } = await listSorted(filters, sort)
  const cursors = [undefined, first[LIMIT - 1]!.id, await findMiddle(sort.by)]

  for (const cursor of cursors) {
    const plans = await explainStatements(db, /payment_links/, () =>
      listSorted(filters, sort, cursor),
    )
    const nodes = plans.flatMap(listPlanNodes)
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    expect(countRowsRead(plans)).toBeLessThan(10 * LIMIT)
    for (const node of nodes) expect(countRowsTouched(node)).toBeLessThan(5 * LIMIT)
  }
})

/** A link from amid the order, of those that brought something. */
async function findMiddle(by: string) {
  const order = { amountCents: 'amount_cents', title: 'title', received: 'received_cents' }[by]!
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from payment_links join link_revenue on payment_link_id = id
    where payment_links.company_id = ${companyId} and status = 'active'
    order by ${sql.raw(order)} offset 4000 limit 1`)
  return rows[0]?.id ?? newId()
}
