// Customers who are forgotten from the dashboard.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { auditEntries, customers } from '../../../src/database/tables.ts'
import { openHouse } from '../../support/house.ts'
import { openLinkDesk, read, titlesIn } from '../../support/link-desk.ts'
import { card, openCheckout, textOf } from '../../support/payer.ts'

const house = await openHouse()
const { db } = house
const { openDesk, newCustomer, create } = openLinkDesk(house)
const { newLink, pay, readLink } = openCheckout(house)

const LIST = '/painel/clientes'
const ANA = { name: 'Ana Lima', taxId: '52998224725', email: 'ana@exemplo.com.br' }

test('an owner has somebody forgotten, after reading what stays', async () => {
  const { company, desk } = await openDesk('owner')
  const link = await newLink({}, company)
  const { row } = await pay(link, { ...card('ok'), name: 'Ana Lima' })
  const own = await create(company, { linkedCustomerId: row.customerId })
  const path = `${LIST}/${row.customerId}`
  await desk.post(`${path}/editar`, { name: 'Ana Maria Lima' })

  const question = textOf(await read(desk, `${path}/anonimizar`))
  const response = await desk.post(`${path}/anonimizar`)
  const list = await read(desk, response.headers.location!)
  const payment = textOf(await read(desk, `/painel/transacoes/${row.id}`))

  expect(question).toContain('Anonimizar Ana Maria Lima?')
  expect(question).toContain('Os pagamentos ficam')
  expect(list).toContain('Cliente anonimizado.')
  expect(titlesIn(list)).toEqual([])
  expect((await desk.get(path)).statusCode).toBe(404)
  expect((await desk.post(`${path}/anonimizar`)).statusCode).toBe(404)
  expect(payment).toContain('Nome Cliente removido')
  expect(await readLink(own.id)).toMatchObject({ linkedCustomerId: null })
  const told = await db.select().from(auditEntries).where(eq(auditEntries.companyId, company.id))
  expect(told.map(({ action }) => action)).toContain('customer_anonymized')
  expect(JSON.stringify(told)).not.toMatch(/Ana|Lima/)
})

test('a member may not, and sees no way to', async () => {
  const { company, desk } = await openDesk('member')
  const id = await newCustomer(company, ANA)

  const page = await desk.get(`${LIST}/${id}/anonimizar`)
  const response = await desk.post(`${LIST}/${id}/anonimizar`)

  expect([page.statusCode, response.statusCode]).toEqual([403, 403])
  const known = await db.select().from(customers).where(eq(customers.id, id))
  expect(known).toMatchObject([ANA])
})
