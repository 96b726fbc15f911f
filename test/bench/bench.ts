// npm run bench: the service beside a bare control (control.ts) on one Postgres, as ratios.
//   -- --quick   fewer and shorter rounds
//   -- --json    prints one JSON document and nothing else
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../src/database/embedded/server.ts'
import { runStatement } from '../support/statement.ts'
import { type Program, startControl, startService } from './programs.ts'
import { headText, machineText, outcomeText, serviceText, toJson, type Weight } from './report.ts'
import { measure, type Outcome, type Plan } from './rounds.ts'
import { seed } from './seed.ts'
import { type Side, type Work, worksOn } from './works.ts'

const CONNECTIONS = 64
const FULL = { connections: CONNECTIONS, warmUpRequests: 2_500, roundS: 2, pairs: 3 }
const QUICK = { connections: CONNECTIONS, warmUpRequests: 800, roundS: 0.7, pairs: 2 }
/** Enough for 200,000 and 50,000 requests in a minute, each key's limit being 100. */
const KEYS = { full: 2_000, quick: 500 }
const IDLE_AFTER_MS = 1_000
const QUIET = { info() {}, warn() {}, error() {} }

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' } },
})
const print = (text: string) => flags.json || process.stdout.write(`${text}\n`)
const cleanUp = new AsyncDisposableStack()
let givenUp = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, giveUp)

try {
  const errors = await bench(flags.quick ? QUICK : FULL, flags.quick ? KEYS.quick : KEYS.full)
  process.exitCode = errors > 0 ? 1 : 0
} catch (error) {
  if (!givenUp) throw error
} finally {
  await end()
}

/** Answers how many requests failed. */
async function bench(plan: Plan, keys: number) {
  const server = await startPostgres()
  print(machineText(await versionOf(server), plan))
  const seeded = await seed(server, { keys })
  const control = cleanUpLater(await startControl(seeded))
  const service = cleanUpLater(await startService(seeded))
  await sleep(IDLE_AFTER_MS)
  const idleMb = service.memoryMb()

  const works = worksOn(seeded, await quoteOn(`${service.url}/pagar/${seeded.links[0]?.slug}`))
  const outcomes = await measureAll(works, { service, control }, plan)

  const weight: Weight = { idleMb, afterMb: service.memoryMb(), startMs: service.startMs }
  print(serviceText(weight))
  if (flags.json) process.stdout.write(`${toJson(outcomes, weight)}\n`)
  const errors = [...outcomes.values()].map(
    ({ service, control }) => service.errors + control.errors,
  )
  return errors.reduce((sum, one) => sum + one, 0)
}

async function measureAll(works: Work[], programs: Record<Side, Program>, plan: Plan) {
  const outcomes = new Map<Work['name'], Outcome>()
  print(headText())
  for (const work of works) {
    const outcome = await measure(work, programs, plan)
    outcomes.set(work.name, outcome)
    print(outcomeText(work, outcome))
  }
  return outcomes
}

/** Durable, as for a user, and gone when we are. */
async function startPostgres() {
  const dataDir = mkdtempSync(join(tmpdir(), 'vintem-bench-'))
  cleanUp.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log: QUIET })
  cleanUp.defer(stop)
  return url
}

async function versionOf(serverUrl: string): Promise<string> {
  const [row] = await runStatement(serverUrl, 'show server_version')
  return row.server_version
}

/** What the form of a link's page says its prices are. */
async function quoteOn(pageUrl: string) {
  const html = await (await fetch(pageUrl)).text()
  const quote = /name="quote" value="([^"]+)"/.exec(html)?.[1]
  if (!quote) throw new Error(`${pageUrl} has no form to pay`)
  return quote
}

function cleanUpLater(program: Program) {
  cleanUp.defer(program.stop)
  return program
}

async function giveUp() {
  givenUp = true
  await end()
  process.exit(130)
}

async function end() {
  // The embedded Postgres by itself keeps no program going, not even until it has stopped.
  const going = setInterval(() => {}, 60_000)
  await cleanUp.disposeAsync()
  clearInterval(going)
}
