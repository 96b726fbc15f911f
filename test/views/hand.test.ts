// How views are written: short, in lines that can be read, and with nothing unescaped by accident.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { isIcon, listViews, readView, VIEWS } from './compile.ts'

const MAX_LINE = 120
const MAX_LINES = 90

/** Why a view is longer. */
const LONG: Record<string, string> = {
  'mail/template': 'one table, which mail readers take only with its styles in it',
}

/** What may stand in a page unescaped: what another view made, pictures, a style of one colour, prose. */
const RAW = [
  /^(include|time\(|nearDay\(|date\(|badge\(|it\.body$)/,
  /^(it\.qr|it\.pix\.qrSvg|it\.merchant\.brandStyle)$/,
]

const views = listViews(VIEWS)
  .filter((name) => !isIcon(name))
  .map((name) => ({ name, source: readView(VIEWS, name) }))

test('a view has lines that can be read, and not too many of them', () => {
  const wide = views.flatMap(({ name, source }) =>
    source
      .split('\n')
      .flatMap((line, at) => ([...line].length > MAX_LINE ? [`${name}:${at + 1}`] : [])),
  )
  const long = views.filter(({ source }) => source.split('\n').length > MAX_LINES + 1)

  expect(wide).toEqual([])
  expect(long.map(({ name }) => name)).toEqual(Object.keys(LONG))
})

test('no view is left that nothing shows', () => {
  const source = join(VIEWS, '../src')
  const code = globSync('**/*.ts', { cwd: source })
    .filter((file) => !file.endsWith('views.ts'))
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .join()
  const parts = views.flatMap(({ name, source }) =>
    [...source.matchAll(/(?:include|layout)\('([^']+)'/g)].map(([, path]) =>
      posix.join(path!.startsWith('/') ? '' : posix.dirname(name), path!).replace(/^\//, ''),
    ),
  )

  const left = views.filter(({ name }) => !parts.includes(name) && !code.includes(`'${name}'`))
  expect(left.map(({ name }) => name)).toEqual([])
})

test('no view cuts off what is typed or pasted, but for the digits of a card', () => {
  const cutting = views.filter(({ source }) => source.includes('maxlength'))

  expect(cutting.map(({ name }) => name)).toEqual([
    'checkout/link/card-inputs',
    'checkout/link/field',
  ])
})

test('a view is indented by two spaces for each element and each block that it stands in', () => {
  const odd = views.filter(({ source }) => /^( {2})* <[a-z%]/m.test(source) || /\t/.test(source))

  expect(odd.map(({ name }) => name)).toEqual([])
})

test('only what is markup already is written unescaped', () => {
  const raw = views.flatMap(({ name, source }) =>
    [...source.matchAll(/<%~\s*([\s\S]*?)\s*%>/g)].map(([, code]) => ({ name, code: code! })),
  )

  expect(raw.length).toBeGreaterThan(100)
  expect(raw.filter(({ code }) => !RAW.some((pattern) => pattern.test(code)))).toEqual([])
})

// `download` keeps whatever comes: of a session that is over the page to sign in, under the name of a table.
test('only what stands in the page itself is kept as a file unseen: the server says of the rest what is one', () => {
  const kept = views.flatMap(({ name, source }) =>
    [...source.matchAll(/href="([^"]*)"\s[^>]*?\bdownload\b/g)].map(
      ([, href]) => `${name} ${href}`,
    ),
  )

  expect(kept).toEqual(['dashboard/account/recovery-codes <%= it.file %>'])
})

// One character beyond U+00FF makes V8 keep the page in twice the bytes, and takes it twice as long to encode.
test('the page of a link writes wide characters as references', () => {
  const link = views.filter(({ name }) => /^checkout\/(layout|link\/)/.test(name))
  const markup = link.map(({ name, source }) => ({
    name,
    text: source.replace(/<%[\s\S]*?%>/g, ''),
  }))

  expect(markup.filter(({ text }) => /[^\0-\xff]/.test(text))).toEqual([])
})

// What payers read stands in checkout/texts, in each of their languages; names of cards are the same in all.
test("a payer's page has no words of its own", () => {
  const payers = views.filter(
    ({ name }) => name.startsWith('checkout/') && !/\/(card-brands|test-cards)$/.test(name),
  )
  const words = payers.map(({ name, source }) => ({
    name,
    text: source.replace(/<%[\s\S]*?%>/g, '').replace(/<[^>]*>|&\w+;/g, ''),
  }))
  const attributes = payers.filter(({ source }) =>
    /\b(aria-label|title|alt|placeholder)="[^"<]*\p{L}/u.test(source),
  )

  expect(payers.length).toBeGreaterThan(20)
  expect(words.filter(({ text }) => /\p{L}/u.test(text))).toEqual([])
  expect(attributes.map(({ name }) => name)).toEqual([])
})

test('a view stands where the code stands that shows it, or in a folder of parts below', () => {
  const rooms = [...new Set(views.map(({ name }) => dirname(name)))]
  const hasCode = (room: string) => existsSync(join(VIEWS, '../src', room))

  expect(rooms.length).toBeGreaterThan(15)
  expect(rooms.filter((room) => !hasCode(room) && !hasCode(dirname(room)))).toEqual([])
})
