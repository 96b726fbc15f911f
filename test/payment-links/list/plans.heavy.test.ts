// A page of links costs the same however many links there are: the plans of the very statements that
// the list runs, among fifty thousand links of three companies.
import { beforeAll, expect, test } from 'vitest'
import { PageQuery, paginateRows as pageOfRows } from '../../../src/http/pagination.ts'
import { listPaymentLinks, streamPaymentLinks } from '../../../src/payment-links/list/list.ts'
import { readLinkPageJson } from '../../../src/payment-links/list/page-json.ts'
import { LinkFilters } from '../../../src/payment-links/schema.ts'
import {
  countRowsRead,
  explainStatements,
  listPlanNodes,
  type PlanMode,
  type QueryPlan,
} from '../../support/postgres/query-plans.ts'
import { withConnection } from '../../support/postgres/statement.ts'
import { openTestApp } from '../../support/test-app.ts'

const { db, url, newCompany } = await openTestApp()

const LINKS = 50_000
const LIMIT = 20
const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** How many rows may be looked at for each one that is asked for. */
const STRETCH = 20
const FIRST_MS = Date.parse('2026-01-01T00:00:00.000Z')
/** One link a minute: after all of them were made. */
const NOW = new Date(FIRST_MS + (LINKS + 1) * 60_000)
const instant = (link: number) => new Date(FIRST_MS + link * 60_000).toISOString()

let companyId = ''
let quietId = ''

beforeAll(async () => {
  const companies = [await newCompany(), await newCompany(), await newCompany()]
  companyId = companies[0]!.id
  quietId = (await newCompany()).id
  const values = [LINKS, FIRST_MS, companies.map(({ id }) => id), NOW.toISOString()]
  await withConnection(url, async (connection) => {
    await connection.query(FILL, values)
    await connection.query('vacuum analyze payment_links, payment_link_tags')
  })
}, 120_000)

// Every third link is the first company's. Much is common, little is rare, and some is rare and old.
const FILL = `
insert into payment_links (id, company_id, slug, title, amount_cents, methods, max_installments,
  interest_mode, status, tags, expires_at, expiry_told_for, external_reference, metadata, created_at)
select
  (lpad(to_hex($2::bigint + i::bigint * 60000), 12, '0') || '7000a' || lpad(to_hex(i), 15, '0'))::uuid,
  ($3::uuid[])[i % 3 + 1],
  'link' || i,
  case when i % 9000 = 0 then 'Açaí na tigela ' when i < 20000 then 'Antigo pão ' else 'Bolo de cenoura ' end || i,
  1990,
  case when i % 9000 = 0 then '{credit_card}' when i % 2 = 0 then '{pix}' else '{pix,credit_card}' end::text[],
  1, 'absorb',
  case when i % 9000 = 3 then 'inactive' when i % 9000 = 6 then 'completed' when i > 30000 and i < 40000 then 'archived' else 'active' end,
  case when i % 9000 = 0 then '{comum,raro,par}' when i % 6 = 0 then '{comum,par}' else '{comum,impar}' end::text[],
  case when i % 12 = 0 then to_timestamp($2::bigint / 1000 + i * 60 + 30) when i % 12 = 3 then $4::timestamptz + interval '9 months' end,
  case when i % 12 = 0 and i < 49990 then to_timestamp($2::bigint / 1000 + i * 60 + 30) end,
  case when i % 3000 = 0 then 'raro-' || i else 'comum' end,
  '{}', to_timestamp($2::bigint / 1000 + i * 60)
from generate_series(1, $1::int) i`

function expectCheap(plans: QueryPlan[], limit = LIMIT) {
  const nodes = plans.flatMap(listPlanNodes)
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  const sorted = nodes.filter((node) => node['Node Type'].endsWith('Sort'))
  for (const sort of sorted) {
    for (const { 'Actual Rows': rows } of sort.Plans ?? [])
      expect(rows).toBeLessThanOrEqual(limit + 1)
  }
  // The stretch, the way from a label's index to its links, where the stretch ends, and which label leads.
  expect(countRowsRead(plans)).toBeLessThanOrEqual(4 * STRETCH * limit)
}

const page = (query: object, below?: number) => {
  const cursor = below && Buffer.from(idOf(below)).toString('base64url')
  const { limit, cursor: from } = PageQuery.parse({
    limit: String(LIMIT),
    ...(cursor && { cursor }),
  })
  return { limit, cursor: from, ...LinkFilters.parse(query) }
}

function idOf(link: number) {
  const time = (FIRST_MS + link * 60_000).toString(16).padStart(12, '0')
  const rest = `7000a${link.toString(16).padStart(15, '0')}`
  const hex = time + rest
  return [8, 12, 16, 20, 32].map((end, i) => hex.slice([0, 8, 12, 16, 20][i], end)).join('-')
}

const FILTERS: object[] = [
  {},
  { status: 'active' },
  { status: 'expired' },
  { status: 'inactive' },
  { status: 'completed' },
  { status: 'archived' },
  { method: 'pix' },
  { method: 'credit_card' },
  { tag: 'comum' },
  { tag: 'raro' },
  { tag: ['comum', 'raro'] },
  { tag: ['par', 'impar'] },
  { tag: 'nunca' },
  { externalReference: 'comum' },
  { externalReference: 'raro-3000' },
  { q: 'bolo' },
  { q: 'ACAI' },
  { q: 'antigo' },
  { q: 'nunca visto' },
  { q: '%' },
  { q: 'link3000' },
  { q: 'raro-3000' },
  { createdFrom: instant(25_000) },
  { createdTo: instant(25_000) },
  { createdFrom: instant(25_000), createdTo: instant(25_100) },
  { createdTo: '2025-01-01T00:00:00-03:00' },
  { status: 'active', method: 'credit_card', tag: 'raro' },
  { status: 'archived', tag: 'raro', q: 'bolo' },
]

test.each(FILTERS)('%j reads a bounded stretch on the first page and deep down', async (query) => {
  for (const below of [undefined, 25_000, 2_000]) {
    const plans = await explainStatements(db, /payment_link/, () =>
      listPaymentLinks(db, companyId, page(query, below), NOW),
    )

    expect(plans.length).toBeGreaterThan(0)
    expectCheap(plans)
  }
})

function readPageJson(companyId: string, below?: number, knownVersion?: string | null) {
  const { limit, cursor } = page({}, below)
  const context = { checkoutUrl: 'https://example.com/pagar', testMode: true, now: NOW }
  const known = { knownVersion: knownVersion ?? undefined }
  return readLinkPageJson(db, { companyId, limit, cursor, ...context, ...known })
}

const listStretches = (): [string, number?][] => [[companyId], [companyId, 2_000], [quietId]]

test.each<PlanMode>(['force_custom_plan', 'force_generic_plan'])(
  'a list without filters stays within its company: %s',
  async (plans) => {
    for (const [id, below] of listStretches()) {
      const readRows = () => listPaymentLinks(db, id, page({}, below), NOW)
      const rows = await explainStatements(db, /payment_link/, readRows, plans)
      const json = await explainStatements(db, /payment_link/, () => readPageJson(id, below), plans)

      expectCheap([...rows, ...json])
      expect(countRowsRead(rows)).toBeLessThanOrEqual(LIMIT + 1)
      expect(countRowsRead(json)).toBeLessThanOrEqual(LIMIT + 1 + LIMIT)
    }
  },
)

test.each<PlanMode>(['force_custom_plan', 'force_generic_plan'])(
  'a page whose version is known is not written once more: %s',
  async (plans) => {
    for (const [id, below] of listStretches()) {
      const { version } = await readPageJson(id, below)
      const read = () => readPageJson(id, below, version)
      const seen = await explainStatements(db, /payment_link/, read, plans)

      expectCheap(seen)
      expect(countRowsRead(seen)).toBeLessThanOrEqual(LIMIT + 1)
      expect(await read()).toMatchObject({ version, items: '' })
    }
  },
)

test.each(FILTERS)('%j, page after page, finds what reading everything finds', async (query) => {
  const found: string[] = []
  for await (const rows of streamPaymentLinks(db, companyId, LinkFilters.parse(query), NOW)) {
    found.push(...rows.map(({ id }) => id))
  }

  expect(found).toEqual(await idsThat({ ...query }))
})

test.each([
  { tag: ['par', 'impar'] },
  { tag: ['par', 'comum'], status: 'archived' },
  { q: '%' },
  { q: 'antigo', method: 'pix' },
  { createdFrom: instant(25_000), createdTo: instant(25_100) },
])('%j is found whole although a page may be short', async (query) => {
  const lengths: number[] = []

  const found = await everyId(query, (length) => lengths.push(length))

  expect(found).toEqual(await idsThat({ ...query }))
  expect(lengths.slice(0, -1).some((length) => length < LIMIT)).toBe(true)
})

test('without the index of titles a text that few have is found page by page', async () => {
  await db.$client.query('drop index payment_links_title_search')

  const found = await everyId({ q: 'AÇAÍ' })

  expect(found).toEqual(await idsThat({ q: 'AÇAÍ' }))
  expect(found).toHaveLength(4)
})

/** By the smallest pages, as a client of the API goes on. */
async function everyId(query: object, tell: (length: number) => void = () => {}) {
  const ids: string[] = []
  for (let cursor: string | null = NEWEST; cursor !== null; ) {
    const wanted = { ...LinkFilters.parse(query), limit: LIMIT, cursor }
    const { rows, resumeBelow } = await listPaymentLinks(db, companyId, wanted, NOW)
    const { data, nextCursor } = pageOfRows(rows, LIMIT, resumeBelow)
    ids.push(...data.map(({ id }) => id))
    tell(data.length)
    cursor = nextCursor && Buffer.from(nextCursor, 'base64url').toString()
  }
  return ids
}

/** By reading everything. */
async function idsThat(query: Record<string, unknown>) {
  const { rows } = await db.$client.query<{ id: string }>(
    `select id from payment_links where company_id = $1 and ${plainly(query)} order by id desc`,
    [companyId],
  )
  return rows.map(({ id }) => id)
}

/** A filter as the simplest condition that says it. */
function plainly(query: Record<string, unknown>) {
  const text = (value: unknown) => `'${value}'`
  const at = text(NOW.toISOString())
  const {
    status,
    q = '',
    tag = [],
    ...rest
  } = query as { status?: string; q?: string; tag?: string }
  const states: Record<string, string> = {
    active: `status = 'active' and (expires_at is null or expires_at > ${at})`,
    expired: `status = 'active' and expires_at <= ${at}`,
  }
  const named = /^(link|raro-)3000$/.test(q)
  return [
    status ? (states[status] ?? `status = ${text(status)}`) : `status <> 'archived'`,
    ...[tag].flat().map((one) => `${text(one)} = any(tags)`),
    ...(named ? [`(slug = ${text(q)} or external_reference = ${text(q)})`] : []),
    ...(q && !named ? [`position(fold(${text(q)}) in fold(title)) > 0`] : []),
    ...('method' in rest ? [`${text(rest.method)} = any(methods)`] : []),
    ...('externalReference' in rest
      ? [`external_reference = ${text(rest.externalReference)}`]
      : []),
    ...('createdFrom' in rest ? [`created_at >= ${text(rest.createdFrom)}`] : []),
    ...('createdTo' in rest ? [`created_at <= ${text(rest.createdTo)}`] : []),
  ].join(' and ')
}
