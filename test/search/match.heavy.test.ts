// What words are found by among very many: common ones among the newest, rare ones in their index.
import { beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { MAX_UUID } from '../../src/database/id.ts'
import { chooseAccessPath } from '../../src/search/access-path.ts'
import { findMatches, findSomeMatches } from '../../src/search/match.ts'
import { hasBeginnings, hasWords, type SearchWords } from '../../src/search/tsquery.ts'
import { buildWordPrefix, cutBeginning } from '../../src/search/words.ts'
import { withConnection } from '../support/postgres/statement.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, url, newCompany } = await openTestApp()

const ENTRIES = 150_000
const LIMIT = 21
const company = await newCompany()

beforeAll(async () => {
  const prefix = buildWordPrefix('payment', company.id)
  await withConnection(url, async (connection) => {
    // One in twenty is an Ana, one in twenty-one a Silva, one in nineteen a Souza, one in seventeen a Mariana,
    // one in sixteen a Mariane, one in 499 a Bruna; a Zulmira is among the oldest.
    // Every other is blue, and the others are green, with orders and a subscription of their own; the older half is of
    // last year.
    await connection.query(
      `insert into search_entries (company_id, kind, id, words)
    select $1, 'payment', ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      array_to_tsvector(array_remove(array[$2 || 'r' || n, case when n % 20 = 0 then $2 || 'ana' end,
        case when n % 21 = 0 then $2 || 'silva' end, case when n % 19 = 0 then $2 || 'souza' end,
        case when n % 17 = 0 then $2 || 'mariana' end, case when n % 16 = 0 then $2 || 'mariane' end,
        case when n % 499 = 0 then $2 || 'bruna' end, $2 || 'pedido-' || n % 2 || n,
        $2 || case when n % 2 = 0 then 'azul' else 'verde' end,
        $2 || '$' || n % 100, $2 || 'assinatura-' || case when n % 2 = 0 then 'a' else 'b' end,
        case when n <= $3 / 2 then $2 || 'antigo' end,
        case when n = 101 then $2 || 'zulmira' end], null))
    from generate_series(1, $3::int) n`,
      [company.id, prefix, ENTRIES],
    )
    await connection.query('vacuum analyze search_entries')
  })
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
async function watchMatches(words: SearchWords, more: { limit?: number; above?: string } = {}) {
  const transactions = vi.spyOn(db, 'transaction')
  const ids = await findMatches(db, { ...queryOf(words), ...more })
  const isByIndex = transactions.mock.calls.length > 0
  transactions.mockRestore()
  return { ids, isByIndex }
}

const hasBegun = (...words: string[]) => hasBeginnings(queryOf(begun(...words)))
const choosePath = (words: SearchWords) => chooseAccessPath(db, queryOf(words))

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
  ['of which some are only begun', begun('silv', 'souz', 'ana', 'mariana'), 21 * 19 * 20 * 17],
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

  expect(await choosePath(words)).toEqual(hasBegun('verde', 'ana'))
  expect(await watchMatches(words)).toEqual({ ids: [], isByIndex: true })
})

test.each<[string, string[], string[]]>([
  ['by the first digit of a number', ['pedido-0', 'pedido-1'], ['pedido-0', 'pedido-1']],
  ['by a seventh letter', ['mariana', 'mariane', 'azul'], ['mariana', 'mariane']],
])(
  'common words that begin alike are asked for as far as they differ: %s',
  async (_name, typed, asked) => {
    expect(await choosePath(begun(...typed))).toEqual(hasBegun(...asked))
  },
)

test('where two words exclude each other no more than the newest few are looked through', async () => {
  const statements = vi.spyOn(db, 'execute')
  const { isByIndex } = await watchMatches(begun('azul', 'verde', 'mariana', 'souza'))
  const windows = statements.mock.calls.map((call) => /\b20*0{3}\b/.exec(JSON.stringify(call))?.[0])
  statements.mockRestore()

  expect(isByIndex).toBe(true)
  expect(new Set(windows.filter((window) => window !== undefined))).toEqual(new Set(['2000']))
})

test('an amount that some have is asked for together with a name that many have', async () => {
  const words: SearchWords = [...begun('ana'), [{ text: '$7', isWhole: true }]]

  expect(await choosePath(words)).toEqual(hasBegun('ana', '$7'))
  expect(await watchMatches(words)).toEqual({ ids: [], isByIndex: true })
})

test('words that begin alike for longer are asked for as they stand: that beginning many have', async () => {
  const words = begun('assinatura-a', 'assinatura-b')

  expect(await choosePath(words)).toEqual(hasWords(queryOf(words)))
  expect(await watchMatches(words)).toEqual({ ids: [], isByIndex: true })
})

test('what is typed of a word is among its beginnings', async () => {
  const words = ['mariana', 'ana-júlia', 'pessoa123@exemplo.com', 'pedido-7', 'assinatura-2026']
  for (const word of [
    ...words,
    '$1990',
    '#52998224725',
    'nota1234567',
    '2026-11',
    'a1b2c3d4e5',
    'quatorze',
    'joão',
  ]) {
    const { rows } = await db.execute<{ stored: string[] }>(
      sql`select tsvector_to_array(word_beginnings(array_to_tsvector(array['p12345678' || ${word}::text]))) as stored`,
    )
    const stored = rows[0]!.stored.map((beginning) => beginning.slice(9))
    const isBegun = !/^[$#]/.test(word)
    const typed = isBegun ? Array.from(word, (_, i) => word.slice(0, i + 1)).slice(2) : [word]

    const asked = new Set(typed.map(cutBeginning).filter((beginning) => beginning !== undefined))
    expect(stored).toEqual([...asked].sort())
  }
})

test('beside a rare word an index is not asked for what many have, nor for what only old ones have', async () => {
  expect(await choosePath(begun('ana', 'zulmira'))).toEqual(hasWords(queryOf(begun('zulmira'))))
  expect(await choosePath(begun('antigo', 'bruna'))).toEqual(hasWords(queryOf(begun('bruna'))))
})

test('one that some have is looked for in the index, beside one that makes them few', async () => {
  expect(await watchMatches(begun('bruna', 'ana'), { limit: 50 })).toEqual({
    ids: newestOf(499 * 20, ENTRIES),
    isByIndex: true,
  })
})

test('a rare word is looked for in the index, beside a common one too', async () => {
  const ids = [newestOf(1, ENTRIES).at(-101)]

  expect(await watchMatches(begun('zulmira'))).toEqual({ ids, isByIndex: true })
  expect(await watchMatches(begun('zulmira', 'ana'))).toEqual({ ids: [], isByIndex: true })
})

test('of a short period all are looked through, where an index would list those of other times too', async () => {
  const above = newestOf(1, 10_000).at(-1)!

  expect(await watchMatches(begun('zulmira', 'ana'), { above })).toEqual({
    ids: [],
    isByIndex: false,
  })
})

test('who only counts is told that common words have more, and of rare ones all', async () => {
  const some = await findSomeMatches(db, queryOf(begun('ana'), 10_001))

  expect(some.isWhole).toBe(false)
  expect(some.ids).toEqual(newestOf(20, some.ids.length))
  expect(some.ids.length).toBeGreaterThan(1_000)
  for (const above of [undefined, newestOf(1, ENTRIES).at(-50)]) {
    const query = { ...queryOf(begun('zulmira'), 10_001), ...(above && { above }) }
    expect(await findSomeMatches(db, query)).toMatchObject({
      ids: [newestOf(1, ENTRIES).at(-101)],
      isWhole: true,
    })
  }
})
