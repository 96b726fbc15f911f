// Rules of the house that no linter knows: its floors, where SQL stands, and that no query is lost.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import type { Database, Transaction } from '../src/database/connect.ts'
import { recordEvent } from '../src/webhooks/events/event.ts'

/** A room imports from itself and from floors below; never sideways, never up. */
const FLOORS = [
  ['config.ts', 'format.ts', 'outage.ts'],
  ['texts.ts'],
  ['database', 'http'],
  ['mail'],
  ['providers', 'webhooks', 'companies'],
  ['payment-links', 'customers'],
  ['transactions'],
  ['checkout'],
  ['dashboard', 'docs'],
  ['commands'],
  ['app.ts', 'cli.ts'],
  ['main.ts'],
]

/** Where Drizzle and pg themselves may be imported; all others go through these files. */
const ORM_AT = ['src/database/drizzle.ts']
const PG_AT = /^src\/database\//

const ROOT = join(import.meta.dirname, '..')
const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('src', file))
  .sort()
  .map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }))

const roomOf = (file: string) => relative('src', file).split('/')[0]!
const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room))

/** What a file imports, types included: paths from the root for our own, names for packages. */
function importsOf(file: string, source: string) {
  const specifiers = [...source.matchAll(/\b(?:from|import|require\()\s*\(?'([^']+)'/g)]
  return specifiers.map(([, name]) => (name!.startsWith('.') ? join(dirname(file), name!) : name!))
}

test('every file stands in a room of the plan', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter(({ file }) => floorOf(roomOf(file)) === -1)).toEqual([])
})

test.each(files)('$file imports only from below', ({ file, source }) => {
  const room = roomOf(file)

  const ours = importsOf(file, source).filter((name) => name.startsWith('src/'))
  const others = ours.map(roomOf).filter((other) => other !== room)

  expect(others.filter((other) => floorOf(other) >= floorOf(room))).toEqual([])
})

test('nothing is imported from outside src and the packages', () => {
  const strays = files.flatMap(({ file, source }) =>
    importsOf(file, source).filter((name) => name.startsWith('..') || name.startsWith('/')),
  )

  expect(strays).toEqual([])
})

test('Drizzle comes through one file, and pg stays with the database', () => {
  const direct = (name: RegExp) =>
    files
      .filter(({ source }) => name.test(source.replace(/^import type .*$/gm, '')))
      .map(({ file }) => file)

  expect(direct(/'drizzle-orm/)).toEqual(expect.arrayContaining(ORM_AT))
  expect(direct(/'drizzle-orm/).filter((file) => !ORM_AT.includes(file))).toEqual([])
  expect(direct(/from 'pg'/).filter((file) => !PG_AT.test(file))).toEqual([])
})

test.each(files.filter(({ file }) => file.endsWith('routes.ts')))(
  '$file holds no SQL',
  ({ file, source }) => {
    const reached = importsOf(file, source)

    expect(reached).not.toContain('src/database/drizzle.ts')
    expect(reached).not.toContain('src/database/tables.ts')
    expect(source).not.toMatch(/\$client|\.(execute|transaction)\(/)
  },
)

test('only the configuration reads the environment, and nobody writes to the console', () => {
  const reads = files.filter(({ source }) => /process\.env/.test(source))

  expect(reads.map(({ file }) => file)).toEqual(['src/config.ts'])
  expect(files.filter(({ source }) => /\bconsole\./.test(source))).toEqual([])
})

test('files and what they export are named in the hand of the house', () => {
  const goodName = /^src\/([a-z\d]+(-[a-z\d]+)*\/)*[a-z\d]+(-[a-z\d]+)*\.ts$/
  const badName = /(^|[/-])(index|utils?|helpers?|managers?|services?)\.ts$/
  const badHand =
    /^export default|^(export )?(abstract )?class (?!\w+ extends Error\b)|[:<] ?any\b|^(export )?(const )?enum /m

  const strange = files.filter(({ file }) => !goodName.test(file) || badName.test(file))
  const otherHand = files.filter(({ source }) => badHand.test(source))

  expect(strange.map(({ file }) => file)).toEqual([])
  expect(otherHand.map(({ file }) => file)).toEqual([])
})

// A Drizzle query is a thenable, not a Promise: left unawaited it never runs, and no error says so.
const ORPHAN = /(?<![(,=>?:&|[]|await|return)\n[ \t]*(db|tx)(\.\$client)?\s*\.\w+\b(?!\s*=)/g

test.each(files)('$file awaits every query', ({ source }) => {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/[ \t]+$/gm, '')

  expect(code.match(ORPHAN) ?? []).toEqual([])
})

test('a query that nobody awaits would be found', () => {
  const lost = 'async function f() {\n  db.insert(links).values(row)\n}'
  const kept =
    'const f = () =>\n  db.insert(links)\nawait db.insert(x)\nreturn tx\n  .select()\ndb.other = 1'

  expect(lost.match(ORPHAN)).toHaveLength(1)
  expect(kept.match(ORPHAN)).toBeNull()
})

test('functions say where they may run, and the compiler holds them to it', () => {
  const neverRun = (db: Database, tx: Transaction) => {
    const event = { companyId: '', type: 'transaction.approved', testMode: true } as const
    const recorded = { ...event, data: {}, now: new Date() }
    // @ts-expect-error an event is only ever recorded inside a transaction
    void recordEvent(db, recorded)
    void recordEvent(tx, recorded)
  }

  expect(neverRun).toHaveLength(2)
})

test('no path of a machine and no working paper is in the source', () => {
  const papers = /\b(TODO|FIXME|XXX|HACK)\b|\/(home|Users|root|work)\//

  expect(files.filter(({ source }) => papers.test(source)).map(({ file }) => file)).toEqual([])
})
