// What payments, links and customers are found by.
import { expect, test } from 'vitest'
import { listCustomers } from '../../src/customers/list.ts'
import { parseSearch } from '../../src/dashboard/layout/search-words.ts'
import { eq } from '../../src/database/drizzle.ts'
import { MAX_UUID } from '../../src/database/id.ts'
import { customers, transactions } from '../../src/database/tables.ts'
import {
  buildAmountWord,
  buildTaxIdWord,
  type SearchWords,
  splitWords,
} from '../../src/lists/words.ts'
import { listPaymentLinks } from '../../src/payment-links/list/list.ts'
import { listTransactions } from '../../src/transactions/list/list.ts'
import { openCheckout, PIX } from '../support/payer.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)

const begun = (text: string): SearchWords => [[{ text, isWhole: false }]]
const whole = (text: string): SearchWords => [[{ text, isWhole: true }]]
const ALL = { limit: 50, cursor: MAX_UUID }
const toIds = (rows: { id: string }[]) => rows.map(({ id }) => id)

const findPayments = async ({ id }: Pick<TestCompany, 'id'>, search: SearchWords) =>
  toIds(await listTransactions(db, id, { ...ALL, search: { words: search } }))
const findLinks = async ({ id }: TestCompany, search: SearchWords) =>
  toIds(await listPaymentLinks(db, id, { ...ALL, search: { words: search } }, new Date()))
const findCustomers = async ({ id }: TestCompany, search: SearchWords) =>
  toIds(await listCustomers(db, id, { ...ALL, search: { words: search } }))

const call = (method: 'PATCH' | 'DELETE', url: string, { key }: TestCompany, payload = {}) =>
  app.inject({ method, url, payload, headers: { authorization: `Bearer ${key}` } })

test('a payment is found by the beginning of each of its words, without accents, and by its amounts', async () => {
  const company = await newCompany()
  const link = await newLink({ title: 'Pão de Açúcar (grande)', amountCents: 14_990 }, company)
  const { row } = await pay(link, {
    ...PIX,
    name: 'João d’Ávila Prado',
    email: 'joao.prado@exemplo.com.br',
  })
  const isFound = async (words: SearchWords) =>
    (await findPayments(company, words)).includes(row.id)

  for (const word of ['joao', 'jo', 'avila', 'prado', 'pao', 'acuc', 'grande', 'joao.prado@ex']) {
    expect([word, await isFound(begun(word))]).toEqual([word, true])
  }
  expect(
    await isFound([...begun('joao'), ...begun('pao'), ...whole(buildAmountWord(14_990))]),
  ).toBe(true)
  expect(await isFound([...begun('joao'), ...begun('bolo')])).toBe(false)
  expect(await isFound([[...begun('bolo'), ...begun('joao')].flat()])).toBe(true)
  expect(await isFound(whole('joa'))).toBe(false)
  expect(await isFound(whole(buildAmountWord(1_499)))).toBe(false)
})

test('a document is found whole, and never by its beginning', async () => {
  const company = await newCompany()
  const { row } = await pay(await newLink({}, company), { ...PIX, taxId: '529.982.247-25' })

  expect(await findPayments(company, whole(buildTaxIdWord('52998224725')))).toEqual([row.id])
  expect(await findPayments(company, whole(buildTaxIdWord('5299822472')))).toEqual([])
  expect(await findPayments(company, begun('52998224725'))).toEqual([])
})

test('quotes, operators and backslashes are searched for as they are', async () => {
  const company = await newCompany()
  await pay(await newLink({}, company), { ...PIX, name: "Ana O'Neill" })

  expect(await findPayments(company, begun("o'neill"))).toHaveLength(1)
  for (const word of ["'", "a'|'b", '\\', "x\\'y", 'a:*', 'a & b', '!ana', '(', '<->']) {
    expect(await findPayments(company, begun(word))).toEqual([])
  }
})

test('an apostrophe is found by any of its signs', async () => {
  const company = await newCompany()
  const link = await newLink({ title: 'Kit L’Oréal' }, company)

  for (const sign of ["'", '’', '`', '´']) {
    const [text = ''] = splitWords(`l${sign}oréal`)
    expect(await findLinks(company, begun(text))).toEqual([link.id])
  }
})

test('a word is found without what shows nothing in it, such as the hyphen of a PDF', async () => {
  const company = await newCompany()
  const link = await newLink({ description: 'De beter\u00adraba, क\u200dष' }, company)

  for (const typed of ['beterraba', 'beter\u00adraba', 'क\u200dष']) {
    const { words } = parseSearch(typed, new Date())!
    expect([typed, await findLinks(company, words)]).toEqual([typed, [link.id]])
  }
})

test('one company finds nothing of another, nor of its own other environment', async () => {
  const [company, other] = [await newCompany(), await newCompany()]
  await pay(await newLink({}, company), { ...PIX, name: 'Zulmira' })

  expect(await findPayments(company, begun('zulmira'))).toHaveLength(1)
  expect(await findPayments(other, begun('zulmira'))).toEqual([])
  expect(await findPayments({ id: company.realId }, begun('zulmira'))).toEqual([])
})

test('an anonymized customer is found by nothing, and its payments only by what is left of them', async () => {
  const company = await newCompany()
  const link = await newLink({ title: 'Bolo raro', amountCents: 77_700 }, company)
  const { row } = await pay(link, { ...PIX, name: 'Esquecida Souza', taxId: '390.533.447-05' })
  expect(await findCustomers(company, begun('esquecida'))).toEqual([row.customerId])

  const response = await call('DELETE', `/api/customers/${row.customerId}`, company)

  expect(response.statusCode).toBe(204)
  const [payment] = await db.select().from(transactions).where(eq(transactions.id, row.id))
  const [customer] = await db.select().from(customers).where(eq(customers.id, row.customerId))
  expect([payment?.words, customer?.words]).toEqual(["'$77700' 'bolo' 'raro'", ''])
  expect(await findPayments(company, whole(buildAmountWord(77_700)))).toEqual([row.id])
})

test('a payment is found by what its link was called then, the link by what it is called now', async () => {
  const company = await newCompany()
  const link = await newLink({ title: 'Torta velha' }, company)
  const { row } = await pay(link, PIX)

  await call('PATCH', `/api/payment-links/${link.id}`, company, { title: 'Torta nova' })

  expect(await findPayments(company, begun('velha'))).toEqual([row.id])
  expect(await findLinks(company, begun('velha'))).toEqual([])
  expect(await findLinks(company, begun('nova'))).toEqual([link.id])
  expect(await findLinks(company, begun(link.slug.toLowerCase()))).toEqual([link.id])
})

test('a customer is found by its new name, and by the old one no more', async () => {
  const company = await newCompany()
  const { row } = await pay(await newLink({}, company), { ...PIX, name: 'Ana Lima' })
  expect(await findCustomers(company, begun('ana'))).toEqual([row.customerId])

  await call('PATCH', `/api/customers/${row.customerId}`, company, { name: 'Bia Lima' })

  expect(await findCustomers(company, begun('bia'))).toEqual([row.customerId])
  expect(await findCustomers(company, begun('ana'))).toEqual([])
})
