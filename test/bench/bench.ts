// npm run bench: the service beside a bare control (control.ts) on one Postgres, as ratios.
//   -- --quick   fewer and shorter rounds
//   -- --json    prints one JSON document and nothing else
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../../src/database/embedded.ts'
import { ask } from '../support/ask.ts'
import { type Program, startControl, startService } from './programs.ts'
import { headText, machineText, outcomeText, serviceText, toJson, type Weight } from './report.ts'
import { measure, type Outcome, type Plan } from './rounds.ts'
import { seed } from './seed.ts'
import { type Side, type Work, worksOn } from './works.ts'

const FULL: Plan = { connections: 32, warmUpRequests: 4_000, roundS: 2, pairs: 3 }
const QUICK: Plan = { connections: 32, warmUpRequests: 2_000, roundS: 0.6, pairs: 2 }
/** Enough for 200,000 requests in a minute, each key's limit being 100. */
const KEYS = 2_000
const IDLE_AFTER_MS = 1_000
const QUIET = { info() {}, warn() {}, error() {} }

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' } },
})
const print = (text: string) => flags.json || process.stdout.write(`${text}\n`)
const cleanUp = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, giveUp)

try {
  const errors = await bench(flags.quick ? QUICK : FULL)
  process.exitCode = errors > 0 ? 1 : 0
} finally {
  await end()
}

/** Answers how many requests failed. */
async function bench(plan: Plan) {
  const server = await startPostgres()
  print(machineText(await versionOf(server), plan))
  const seeded = await seed(server, { keys: KEYS })
  const control = cleanUpLater(await startControl(seeded))
  const service = cleanUpLater(await startService(seeded))
  await sleep(IDLE_AFTER_MS)
  const idleMb = service.memoryMb()

  const works = worksOn(seeded, await quoteOn(`${service.url}/pagar/${seeded.links[0]?.slug}`))
  const outcomes = await measureAll(works, { service, control }, plan)

  const weight: Weight = { idleMb, afterMb: service.memoryMb(), startMs: service.startMs }
  print(serviceText(weight))
  if (flags.json) process.stdout.write(`${toJson(outcomes, weight)}\n`)
  return [...outcomes.values()].reduce((sum, { service }) => sum + service.errors, 0)
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
  const { url, stop } = await startEmbedded({ dataDir, log: QUIET })
  cleanUp.defer(stop)
  return url
}

async function versionOf(serverUrl: string): Promise<string> {
  const [row] = await ask(serverUrl, 'show server_version')
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
  await end()
  process.exit(130)
}

async function end() {
  // The embedded Postgres by itself keeps no program going, not even until it has stopped.
  const going = setInterval(() => {}, 60_000)
  await cleanUp.disposeAsync()
  clearInterval(going)
}
