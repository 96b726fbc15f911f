// What is found by words: whose, in which order, and from when on.
import { expect, test } from 'vitest'
import { eq, sql } from '../../src/database/drizzle.ts'
import { MAX_UUID, MIN_UUID, newId } from '../../src/database/id.ts'
import { customers, paymentLinks, searchEntries } from '../../src/database/tables.ts'
import { foldLatest, foldSearch } from '../../src/search/fold.ts'
import { selectMatchIds } from '../../src/search/indexed.ts'
import type { SearchWords, WordQuery } from '../../src/search/tsquery.ts'
import { buildAmountWord, buildTaxIdWord } from '../../src/search/words.ts'
import { openCheckout, PIX } from '../support/payer.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)

const begun = (text: string): SearchWords => [[{ text, isWhole: false }]]
const whole = (text: string): SearchWords => [[{ text, isWhole: true }]]

async function foldAll() {
  while ((await foldSearch(db, 1_000)) > 0);
}

type Wanted = WordQuery & { above?: string; below?: string; limit: number }

/** The newest of those that have the words. */
async function findMatches(
  _: typeof db,
  { above = MIN_UUID, below = MAX_UUID, limit, ...query }: Wanted,
) {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from (${selectMatchIds(query)}) found
    where id > ${above} and id < ${below} order by id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

async function findPayments(company: TestCompany, words: SearchWords, limit = 50) {
  await foldAll()
  return findMatches(db, { companyId: company.id, kind: 'payment', words, limit })
}

/** So many copies of a payment, all of them older than it, each newer than the one before. */
async function copyPayment(id: string, count: number, from = 0) {
  await db.execute(sql`
    insert into transactions
    select (jsonb_populate_record(one, jsonb_build_object(
      'id', lpad(to_hex(26214400 + n), 8, '0') || substr(gen_random_uuid()::text, 9),
      'token', one.token || n, 'attempt_token', one.attempt_token || n, 'provider_reference', null))).*
    from transactions one, generate_series(${from}::int, ${from + count - 1}::int) n where one.id = ${id}`)
}

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

test('one company finds nothing of another, nor of its own other environment', async () => {
  const [company, other] = [await newCompany(), await newCompany()]
  await pay(await newLink({}, company), { ...PIX, name: 'Zulmira' })
  const real = { ...other, id: company.realId }

  expect(await findPayments(company, begun('zulmira'))).toHaveLength(1)
  expect(await findPayments(other, begun('zulmira'))).toEqual([])
  expect(await findPayments(real, begun('zulmira'))).toEqual([])
})

test('the newest come first, whether many have the word or few, and a page goes on below the last', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const { row: rare } = await pay(link, { ...PIX, name: 'Rara Antiga' })
  const { row: common } = await pay(link, { ...PIX, name: 'Maria Comum', taxId: '111.444.777-35' })
  await copyPayment(rare.id, 1)
  for (let from = 1; from < 3_000; from += 300) await copyPayment(common.id, 300, from)
  const { row: newest } = await pay(link, { ...PIX, name: 'Rara Nova', taxId: '390.533.447-05' })

  const commons = await findPayments(company, begun('comum'), 5)
  const rest = await findMatches(db, {
    ...{ companyId: company.id, kind: 'payment' as const, words: begun('comum') },
    ...{ below: commons.at(-1)!, limit: 10_000 },
  })

  expect(commons).toEqual([...commons].sort().reverse())
  expect(commons[0]).toBe(common.id)
  expect(rest).toHaveLength(3_001 - 5)
  expect(rest[0]! < commons.at(-1)!).toBe(true)
  const rares = await findPayments(company, begun('rara'))
  expect(rares).toHaveLength(3)
  expect(rares.slice(0, 2)).toEqual([newest.id, rare.id])
  expect(await findPayments(company, begun('rara'), 1)).toEqual([newest.id])
})

test('who is anonymized is found by nothing, and their payments only by what is left of them', async () => {
  const company = await newCompany()
  const link = await newLink({ title: 'Bolo raro', amountCents: 77_700 }, company)
  const { row } = await pay(link, { ...PIX, name: 'Esquecida Souza', taxId: '390.533.447-05' })
  await foldAll()
  const customer = () => db.select().from(searchEntries).where(eq(searchEntries.id, row.customerId))
  expect(await customer()).toHaveLength(1)

  const response = await testApp.app.inject({
    method: 'DELETE',
    url: `/api/customers/${row.customerId}`,
    headers: { authorization: `Bearer ${company.key}` },
  })

  const gone = await db.select().from(searchEntries).where(eq(searchEntries.id, row.id))
  expect([response.statusCode, await customer(), gone]).toEqual([204, [], []])
  expect(await findPayments(company, begun('esquecida'))).toEqual([])
  expect(await findPayments(company, whole(buildTaxIdWord('39053344705')))).toEqual([])
  expect(await findPayments(company, begun('removido'))).toEqual([])
  expect(await findPayments(company, whole(buildAmountWord(77_700)))).toEqual([row.id])
  expect(await customer()).toEqual([])
})

test('another title of a link is found at its payments too, and the old one no more', async () => {
  const company = await newCompany()
  const link = await newLink({ title: 'Torta velha' }, company)
  const { row } = await pay(link, PIX)
  expect(await findPayments(company, begun('velha'))).toEqual([row.id])

  await db.update(paymentLinks).set({ title: 'Torta nova' }).where(eq(paymentLinks.id, link.id))

  expect(await findPayments(company, begun('nova'))).toEqual([row.id])
  expect(await findPayments(company, begun('velha'))).toEqual([])
})

test('another name of a customer is found, and what does not change is not noted again', async () => {
  const company = await newCompany()
  const { row } = await pay(await newLink({}, company), { ...PIX, name: 'Ana Lima' })
  const find = async (word: string) => {
    await foldAll()
    const words = begun(word)
    return findMatches(db, { companyId: company.id, kind: 'customer', words, limit: 5 })
  }
  expect(await find('ana')).toEqual([row.customerId])

  const ours = eq(customers.id, row.customerId)
  await db
    .update(customers)
    .set({ name: 'Ana Lima', updatedAt: new Date().toISOString() })
    .where(ours)
  expect(await foldSearch(db, 1_000)).toBe(0)
  await db.update(customers).set({ name: 'Bia Lima' }).where(ours)

  expect(await find('bia')).toEqual([row.customerId])
  expect(await find('ana')).toEqual([])
})

test('of several processes one folds at a time, each change once, and nothing is lost', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const { row } = await pay(link, { ...PIX, name: 'Carla Dias' })
  await copyPayment(row.id, 300)

  const counts = await Promise.all(Array.from({ length: 8 }, () => foldSearch(db, 20)))

  expect(counts.filter((count) => count > 0).length).toBeLessThan(8)
  expect(await findPayments(company, begun('carla'), 1_000)).toHaveLength(301)
  expect(await foldSearch(db, 20)).toBe(0)
})

test('whoever searches finds what was made a moment before', async () => {
  const company = await newCompany()
  await foldAll()
  const { row } = await pay(await newLink({}, company), { ...PIX, name: 'Recém Chegada' })

  await foldLatest(db)

  const wanted = { companyId: company.id, kind: 'payment' as const, words: begun('recem') }
  expect(await findMatches(db, { ...wanted, limit: 1 })).toEqual([row.id])
  expect(await findMatches(db, { ...wanted, above: row.id, below: MAX_UUID, limit: 1 })).toEqual([])
  expect(newId() > row.id).toBe(true)
})
