// What words are found by among very many: common ones among the newest, rare ones in their index.
import { beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { MAX_UUID } from '../../src/database/id.ts'
import { lookAtFirst } from '../../src/search/first-look.ts'
import { findMatches, findSomeMatches } from '../../src/search/match.ts'
import type { SearchWords } from '../../src/search/tsquery.ts'
import { buildWordPrefix } from '../../src/search/words.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, newCompany } = await openTestApp()

const ENTRIES = 150_000
const LIMIT = 21
const company = await newCompany()

beforeAll(async () => {
  const prefix = buildWordPrefix('payment', company.id)
  const connection = await db.$client.connect()
  await connection.query('set statement_timeout = 0')
  // One in twenty is an Ana, one in twenty-one a Silva, one in nineteen a Souza, one in seventeen a Mariana,
  // one in sixteen a Mariane, one in 499 a Bruna; a Zulmira is the oldest of all.
  // Every other is blue, and the others are green, with the same order each.
  await connection.query(
    `insert into search_entries (company_id, kind, id, words)
    select $1, 'payment', ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      array_to_tsvector(array_remove(array[$2 || 'r' || n, case when n % 20 = 0 then $2 || 'ana' end,
        case when n % 21 = 0 then $2 || 'silva' end, case when n % 19 = 0 then $2 || 'souza' end,
        case when n % 17 = 0 then $2 || 'mariana' end, case when n % 16 = 0 then $2 || 'mariane' end,
        case when n % 499 = 0 then $2 || 'bruna' end, $2 || 'pedido-' || n % 2,
        case when n % 2 = 0 then $2 || 'azul' else $2 || 'verde' end,
        case when n = 1 then $2 || 'zulmira' end], null))
    from generate_series(1, $3::int) n`,
    [company.id, prefix, ENTRIES],
  )
  await connection.query('vacuum analyze search_entries')
  connection.release(true)
}, 120_000)

const begun = (...words: string[]): SearchWords => words.map((text) => [{ text, isWhole: false }])

const queryOf = (words: SearchWords, limit = LIMIT) => ({
  ...{ companyId: company.id, kind: 'payment' as const, words, limit },
})

/** The newest so many of those that have a number divisible by this. */
const newestOf = (divisor: number, limit: number) =>
  Array.from(
    { length: Math.min(limit, Math.floor(ENTRIES / divisor)) },
    (_, i) => (Math.floor(ENTRIES / divisor) - i) * divisor,
  ).map((n) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`)

/** What is found, and whether the index was asked, which has a transaction of its own. */
async function watchMatches(words: SearchWords) {
  const transactions = vi.spyOn(db, 'transaction')
  const ids = await findMatches(db, queryOf(words))
  const isByIndex = transactions.mock.calls.length > 0
  transactions.mockRestore()
  return { ids, isByIndex }
}

/** Which words few have together, by the newest. */
async function findApart(words: SearchWords) {
  const newest = sql`select words from search_entries where company_id = ${company.id} order by id desc limit 2000`
  return (await lookAtFirst(db, queryOf(words), newest)).apart
}

test.each<[string, SearchWords, number]>([
  ['one common word', begun('ana'), 20],
  ['two common words, which few have together', begun('ana', 'silva'), 420],
  ['one that some have', begun('bruna'), 499],
])('%s: the newest are found without the index', async (_name, words, divisor) => {
  expect(await watchMatches(words)).toEqual({ ids: newestOf(divisor, LIMIT), isByIndex: false })
})

test('a page of common words goes on where the one before ended', async () => {
  const words = begun('ana', 'silva')
  const pages: string[] = []
  for (let below = MAX_UUID, page = [below]; page.length > 0; below = page.at(-1) ?? below) {
    page = await findMatches(db, { ...queryOf(words, 100), below })
    pages.push(...page)
  }

  expect(pages).toEqual(newestOf(420, ENTRIES))
})

test('what hardly anybody has together is found, however common each word is', async () => {
  const words = begun('ana', 'silva', 'souza')

  expect(await findMatches(db, queryOf(words))).toEqual(newestOf(20 * 21 * 19, LIMIT))
})

test.each<[string, SearchWords, number]>([
  ['whose beginnings are long enough', begun('silv', 'souz', 'ana'), 21 * 19 * 20],
  [
    'of which one begins as another does',
    begun('mariana', 'mariane', 'silva', 'souza'),
    17 * 16 * 21 * 19,
  ],
])('common words that hardly anybody has together, %s', async (_name, words, divisor) => {
  expect(await watchMatches(words)).toEqual({ ids: newestOf(divisor, LIMIT), isByIndex: true })
})

test('of common words an index is asked for the two of the fewest rows that nobody has together', async () => {
  const words = begun('azul', 'verde', 'pedido-1', 'ana')

  expect(await findApart(words)).toEqual(begun('verde', 'ana'))
  expect(await watchMatches(words)).toEqual({ ids: [], isByIndex: true })
})

test('words that begin alike are asked for as they stand: what they have in common many have', async () => {
  const words = begun('pedido-0', 'pedido-1')

  expect(await findApart(words)).toBeUndefined()
  expect(await watchMatches(words)).toEqual({ ids: [], isByIndex: true })
})

test('of what is in next to none of the newest nobody knows how many of the others have it', async () => {
  expect(await findApart(begun('zulmira', 'ana'))).toBeUndefined()
})

test('one that some have is looked for in the index, beside one that makes them few', async () => {
  expect(await watchMatches(begun('bruna', 'ana'))).toEqual({
    ids: newestOf(499 * 20, ENTRIES),
    isByIndex: true,
  })
})

test('a rare word is looked for in the index, beside a common one too', async () => {
  const ids = newestOf(1, ENTRIES).slice(-1)

  expect(await watchMatches(begun('zulmira'))).toEqual({ ids, isByIndex: true })
  expect(await watchMatches(begun('zulmira', 'ana'))).toEqual({ ids: [], isByIndex: true })
})

test('who only counts is told that common words have more, and of rare ones all', async () => {
  const some = await findSomeMatches(db, queryOf(begun('ana'), 10_001))

  expect(some.isWhole).toBe(false)
  expect(some.ids).toEqual(newestOf(20, some.ids.length))
  expect(some.ids.length).toBeGreaterThan(1_000)
  expect(await findSomeMatches(db, queryOf(begun('zulmira'), 10_001))).toMatchObject({
    ids: [newestOf(1, ENTRIES).at(-1)],
    isWhole: true,
  })
})
