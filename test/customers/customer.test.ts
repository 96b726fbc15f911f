// Who pays a company: one customer for each document, however often it is typed.
import { expect, onTestFinished, test } from 'vitest'
import { findOrCreateCustomer } from '../../src/customers/customer.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { eq } from '../../src/database/drizzle.ts'
import { customers } from '../../src/database/tables.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, url, newCompany } = await openTestApp()

const NOW = new Date('2026-01-01T12:00:00.000Z')
const maria = {
  name: 'Maria da Silva',
  email: 'maria@exemplo.com.br',
  taxId: '52998224725',
  phone: '11987654321',
}

async function customersOf(companyId: string) {
  return db.select().from(customers).where(eq(customers.companyId, companyId))
}

test('the first payment makes the customer', async () => {
  const { id: companyId } = await newCompany()

  const id = await findOrCreateCustomer(db, { companyId, ...maria }, NOW)

  const at = NOW.toISOString()
  expect(await customersOf(companyId)).toMatchObject([
    { id, companyId, ...maria, createdAt: at, updatedAt: at },
  ])
})

test('what somebody types later under the same document changes nothing of what is known', async () => {
  const { id: companyId } = await newCompany()
  const id = await findOrCreateCustomer(db, { companyId, ...maria }, NOW)
  const before = await customersOf(companyId)

  const other = { ...maria, name: 'Impostora', email: 'x@exemplo.com', phone: null }
  const again = await findOrCreateCustomer(db, { companyId, ...other }, new Date())

  expect(again).toBe(id)
  expect(await customersOf(companyId)).toEqual(before)
})

test('companies do not share customers', async () => {
  const [one, other] = [await newCompany(), await newCompany()]

  const ids = [
    await findOrCreateCustomer(db, { companyId: one.id, ...maria }, NOW),
    await findOrCreateCustomer(db, { companyId: other.id, ...maria }, NOW),
  ]

  expect(new Set(ids).size).toBe(2)
  expect(await customersOf(one.id)).toHaveLength(1)
})

test('a new customer who pays at many processes at once is one customer', async () => {
  const processes = [db, ...Array.from({ length: 2 }, () => connectDatabase(url))]
  onTestFinished(async () => {
    await Promise.all(processes.slice(1).map((one) => one.$client.end()))
  })
  await Promise.all(processes.map((one) => one.$client.query('select 1')))

  for (let i = 0; i < 2; i++) {
    const { id: companyId } = await newCompany()
    const asked = processes.flatMap((one) =>
      Array.from({ length: 5 }, () => findOrCreateCustomer(one, { companyId, ...maria }, NOW)),
    )
    const ids = await Promise.all(asked)

    expect(new Set(ids).size).toBe(1)
    expect(await customersOf(companyId)).toMatchObject([{ id: ids[0] }])
  }
})

test('of many who pay at once each is found under their own document', async () => {
  const { id: companyId } = await newCompany()
  const taxIds = Array.from({ length: 60 }, (_, i) => String(i % 20).padStart(11, '0'))

  const ids = await Promise.all(
    taxIds.map((taxId) => findOrCreateCustomer(db, { companyId, ...maria, taxId }, NOW)),
  )

  const known = new Map((await customersOf(companyId)).map(({ taxId, id }) => [taxId, id]))
  expect(known.size).toBe(20)
  expect(ids).toEqual(taxIds.map((taxId) => known.get(taxId)))
})
