// Customers in the order of their names, page by page; and how many there are.
import { expect, test } from 'vitest'
import { countCustomers, listCustomersByName } from '../../src/customers/by-name.ts'
import { MAX_UUID, newId } from '../../src/database/id.ts'
import { customers } from '../../src/database/tables.ts'
import { paginateRows } from '../../src/http/pagination.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, newCompany } = await openTestApp()

const NAMES = ['Zeca', 'Érica', 'ana', 'Eva', 'Ana', 'Ágatha', 'Ana']

async function openNamed() {
  const { id: companyId } = await newCompany()
  for (const name of NAMES) await db.insert(customers).values({ id: newId(), companyId, name })
  const gone = { name: 'Bruno', anonymizedAt: new Date().toISOString() }
  await db.insert(customers).values({ id: newId(), companyId, ...gone })
  return companyId
}

async function walkPages(companyId: string, isDescending: boolean) {
  const names: string[] = []
  const ids = new Set<string>()
  for (let cursor: string | null = MAX_UUID; cursor !== null; ) {
    const rows = await listCustomersByName(db, companyId, { limit: 2, cursor, isDescending })
    const page: { data: typeof rows; nextCursor: string | null } = paginateRows(rows, 2)
    for (const { id, name } of page.data) {
      names.push(name)
      ids.add(id)
    }
    cursor = page.nextCursor && Buffer.from(page.nextCursor, 'base64url').toString()
  }
  expect(ids.size).toBe(names.length)
  return names
}

test('names are in the order of a Portuguese dictionary, namesakes each once', async () => {
  const companyId = await openNamed()

  const names = await walkPages(companyId, false)

  expect(names).toEqual(['Ágatha', 'ana', 'Ana', 'Ana', 'Érica', 'Eva', 'Zeca'])
  expect(await walkPages(companyId, true)).toEqual(names.toReversed())
})

test('who was anonymized is not counted', async () => {
  expect(await countCustomers(db, await openNamed())).toEqual({ kind: 'exact', count: 7 })
})

test('ten thousand customers are counted; of one more it is only said that there are more', async () => {
  const { id: companyId } = await newCompany()
  const add = (from: number, to: number) =>
    db.$client.query(
      `insert into customers (id, company_id, name)
      select ('01700000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'Ana'
      from generate_series($2::int, $3::int) n`,
      [companyId, from, to],
    )
  await add(1, 10_000)

  const most = await countCustomers(db, companyId)
  await add(10_001, 10_001)
  const more = await countCustomers(db, companyId)

  expect(most).toEqual({ kind: 'exact', count: 10_000 })
  expect(more).toEqual({ kind: 'partial', count: 10_000 })
}, 60_000)
