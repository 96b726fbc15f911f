// Rules of the house that no linter knows: its floors, where SQL stands, and that no query is lost.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import type { Database, Transaction } from '../src/database/connect.ts'
import { getProfile, REAL_PROVIDERS } from '../src/providers/registry.ts'
import { recordEvent } from '../src/webhooks/events/event.ts'

/** From the top floor down: a room imports from itself and from floors below; never sideways, never up. */
const FLOORS = [
  ['main.ts'],
  ['app.ts', 'cli.ts'],
  ['dashboard', 'commands'],
  ['checkout', 'docs'],
  ['transactions'],
  ['payment-links', 'reports'],
  ['webhooks', 'users'],
  ['api', 'mail', 'providers', 'customers'],
  ['companies', 'lists'],
  ['movements'],
  ['queue'],
  ['http'],
  ['database'],
  ['texts.ts'],
  ['card-numbers.ts', 'config.ts', 'format.ts', 'version.ts'],
  ['address-rules.js', 'payer-rules.js', 'record.ts', 'system-error.ts'],
]

/** A room of more files than this needs sub-rooms. */
const MAX_FILES = 24

/** One name, one thing: more than this many files with a function of the same name is a word too many. */
const MAX_NAMESAKES = 2

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

/** Our own files that each of ours imports. */
const imports = new Map(
  files.map(({ file, source }) => [
    file,
    importsOf(file, source).filter((name) => name.startsWith('src/')),
  ]),
)

/** The arrows of a graph that close a circle, as `from → to`. */
function circlesOf(graph: Map<string, Iterable<string>>) {
  const open = new Set<string>()
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (node: string) => {
    open.add(node)
    for (const next of graph.get(node) ?? []) {
      if (open.has(next)) circles.push(`${node} → ${next}`)
      else if (!done.has(next)) visit(next)
    }
    open.delete(node)
    done.add(node)
  }
  for (const node of graph.keys()) if (!done.has(node)) visit(node)
  return circles
}

test('every file stands in a room of the plan', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter(({ file }) => floorOf(roomOf(file)) === -1)).toEqual([])
})

test('a room imports only from the floors below', () => {
  const up = [...imports].flatMap(([file, ours]) =>
    ours
      .filter((other) => roomOf(other) !== roomOf(file))
      .filter((other) => floorOf(roomOf(other)) <= floorOf(roomOf(file)))
      .map((other) => `${file} → ${other}`),
  )

  expect(up).toEqual([])
})

test('no file imports itself by way of others, types included', () => {
  expect(circlesOf(imports)).toEqual([])
})

test('the sub-rooms of a room import each other in one direction', () => {
  const subRooms = new Map<string, Set<string>>()
  for (const [file, ours] of imports) {
    const from = dirname(file)
    const inSubRooms = ours.map(dirname).filter((to) => to !== from && to.split('/').length > 2)
    const beside = inSubRooms.filter((to) => to.split('/')[1] === roomOf(file))
    if (from.split('/').length > 2) subRooms.set(from, subRooms.get(from) ?? new Set())
    for (const to of beside) subRooms.get(from)?.add(to)
  }

  expect(subRooms.size).toBeGreaterThan(20)
  expect(circlesOf(subRooms)).toEqual([])
})

/** Every provider by its name in the code and by what people call it, such as `Woovi (OpenPix)`. */
const PROVIDERS = REAL_PROVIDERS.map((provider) => {
  const names = [provider, ...getProfile(provider).name.split(/[()]/)].map((name) => name.trim())
  const patterns = names.filter(Boolean).map((name) => name.replace(/[-. ]/g, '[-. ]?'))
  return { provider, name: new RegExp(`\\b(?:${patterns.join('|')})`, 'i') }
})

/** Files of one provider alone, its room and its scripts in the browser; and guides: some are about providers. */
const OWN_FILE = /^src\/providers\/[^/]+\/|^views\/docs\/guides\//

test('a provider is named in the list of all, in the table of their profiles, and in its own files', () => {
  const views = readdirSync(join(ROOT, 'views'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(css|eta|js|md|ts)$/.test(file))
    .map((file) => join('views', file))
    .map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }))
  const others = [...files, ...views].filter(({ file }) => !OWN_FILE.test(file))

  const naming = others.filter(({ file, source }) =>
    PROVIDERS.some(({ provider, name }) => name.test(source) && !file.includes(provider)),
  )

  expect(naming.map(({ file }) => file)).toEqual([
    'src/database/enums.ts',
    'src/providers/registry.ts',
  ])
})

test('no room is crowded', () => {
  const rooms = Object.groupBy([...imports.keys()], dirname)

  const crowded = Object.entries(rooms).filter(([, inside]) => inside!.length > MAX_FILES)

  expect(crowded.map(([room]) => room)).toEqual([])
})

test('tests stand where the code stands that they are about', () => {
  const suites = 'bench container contract e2e faults replicas support views'.split(' ')
  const rooms = new Set(files.map(({ file }) => relative('src', dirname(file))))
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => !suites.includes(file.split('/')[0]!))

  const strays = tests.filter((file) => !rooms.has(relative('.', dirname(file))))

  expect(tests.length).toBeGreaterThan(50)
  expect(strays).toEqual([])
})

test('what starts a program is a test of the slow suite or of the night', () => {
  const starts =
    /from '(node:child_process|.*\/processes\/(browser|embedded|installation|nginx|pooler|program|redis|service)\b.*)'/
  const quick = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !/\.(slow|nightly)\.test\.ts$/.test(file))
    .filter((file) => !/^(contract|e2e|faults|replicas)\//.test(file))

  const starting = quick.filter((file) =>
    starts.test(readFileSync(join(ROOT, 'test', file), 'utf8')),
  )

  expect(quick.length).toBeGreaterThan(200)
  expect(starting).toEqual([])
})

test('a name of a function stands for one thing', () => {
  // The adapters of providers implement one interface, and name the same parts alike.
  const toPort = (file: string) => file.replace(/^src\/providers\/[^/]+\/.+/, 'src/providers/*')
  const namesakes = new Map<string, Set<string>>()
  for (const { file, source } of files) {
    for (const [, name] of source.matchAll(/^(?:export )?(?:async )?function\*? (\w+)/gm)) {
      namesakes.set(name!, (namesakes.get(name!) ?? new Set()).add(toPort(file)))
    }
  }

  const many = [...namesakes].filter(([, at]) => at.size > MAX_NAMESAKES)

  expect(many.map(([name, at]) => `${name}: ${[...at].join(' ')}`)).toEqual([])
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

test('every call outwards says by which agent, so that none goes round the guard', () => {
  const calling = files.filter(({ source }) => /import .*\brequest\b.* from 'undici'/.test(source))
  const calls = calling.flatMap(({ file, source }) =>
    [...source.matchAll(/\brequest\([^(]+, \{\n[\s\S]*?\n\s*\}\)|\brequest\(.*\)$/gm)].map(
      ([call]) => ({ file, call }),
    ),
  )

  expect(new Set(calls.map(({ file }) => file)).size).toBe(calling.length)
  expect(calls.filter(({ call }) => !/\bdispatcher\b/.test(call))).toEqual([])
  expect(files.filter(({ source }) => /from 'undici\/|\bfetch\(/.test(source))).toEqual([])
})

test('routes hold no SQL', () => {
  const routes = files.filter(({ file }) => file.endsWith('routes.ts'))
  const holding = routes.filter(({ file, source }) => {
    const reached = importsOf(file, source)
    const tables = ['src/database/drizzle.ts', 'src/database/tables.ts']
    return (
      tables.some((table) => reached.includes(table)) ||
      /\$client|\.(execute|transaction)\(/.test(source)
    )
  })

  expect(routes.length).toBeGreaterThan(10)
  expect(holding.map(({ file }) => file)).toEqual([])
})

test('only the configuration reads the environment, and no file writes to the console', () => {
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

test('every query is awaited', () => {
  const lost = files.flatMap(({ file, source }) => {
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/[ \t]+$/gm, '')
    return (code.match(ORPHAN) ?? []).map((query) => `${file}: ${query}`)
  })

  expect(lost).toEqual([])
})

test('a query without an await would be found', () => {
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
  const papers = /\b(TODO|FIXME|XXX|HACK)\b|['"`\s]\/(home|Users|root|work)\//

  expect(files.filter(({ source }) => papers.test(source)).map(({ file }) => file)).toEqual([])
})

test('the packages that the house is built of are in use, and no code is made of text', () => {
  const packages = [
    'fastify',
    '@fastify/rate-limit',
    '@fastify/view',
    'eta',
    'zod',
    'drizzle-orm',
    'pg',
    'nanoid',
  ]
  const imported = packages.filter((name) =>
    files.some(({ source }) =>
      new RegExp(`(?:from|import\\(|require\\() ?'${name}(?:/[a-z-]+)?'`).test(source),
    ),
  )

  expect(imported).toEqual(packages)
  expect(files.filter(({ source }) => /\bnew Function\(/.test(source))).toEqual([])
})

test('no statement is named and no private door of a library is used, so that any pooler will do', () => {
  const named = /\.prepare\(|\bname: '[a-z_]+',\s*text(, values|: `)|\bprepareQuery\(/
  const privateDoor = /\bdb\._\b|\._\.|\b(pool|client)\.options\b/
  const using = files.filter(({ source }) => named.test(source) || privateDoor.test(source))

  expect(using.map(({ file }) => file)).toEqual([])
})

test('of a package nothing is imported that its exports do not name', () => {
  const inner = files.flatMap(({ file, source }) =>
    [
      ...source
        .replace(/^import type .*$/gm, '')
        .matchAll(/(?:from|import\(|require\() ?'((?:@[^/']+\/)?[^./'@][^/']*)\/([^']+)'/g),
    ]
      .filter(([, name = '', path = '']) => !isExported(name, path))
      .map(([, name, path]) => `${file}: ${name}/${path}`),
  )

  expect(inner).toEqual([])
})

function isExported(name: string, path: string) {
  if (name.startsWith('node:') || name === 'node') return true
  const folder = join(ROOT, 'node_modules', name)
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.keys(exports).includes(`./${path}`)
}
