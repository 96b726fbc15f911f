// npm run bench: the service beside a bare control (control.ts) on one Postgres, as ratios.
//   -- --quick          fewer and shorter rounds, no million links
//   -- --json           prints one JSON document and nothing else
//   -- --slim           against a control on a slim table that renders its page (slim.ts)
//   -- --processes N    N processes of the service behind nginx
//   -- --postgres URL   on a server that runs already, as a superuser
//   -- --binaries DIR   on a server of these binaries, such as /usr/lib/postgresql/15, as it is packaged
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runStatement } from '../support/postgres/statement.ts'
import { openPostgresCpu } from './cpu.ts'
import { measureDeliveries } from './deliveries.ts'
import { startProcesses } from './processes.ts'
import { type Program, startControl, startService } from './programs.ts'
import {
  deliveryText,
  headText,
  machineText,
  outcomeText,
  type Setting,
  serviceText,
  toJson,
  type Weight,
} from './report.ts'
import { type Contest, measure, type Outcome } from './rounds.ts'
import { addOlderLinks, DATABASES, type Seeded, seed } from './seed.ts'
import { dropDatabase, openServer } from './server.ts'
import { measureStarts } from './start.ts'
import {
  listColdKeysWork,
  listMillionWork,
  listUnknownKeysWork,
  listWorks,
  type Work,
} from './works.ts'

const CONNECTIONS = 64
const FULL = { connections: CONNECTIONS, warmUpRequests: 2_500, roundS: 2, pairs: 3 }
const QUICK = { connections: CONNECTIONS, warmUpRequests: 2_500, roundS: 0.7, pairs: 2 }
/** Enough for 200,000 and 50,000 requests in a minute, each key's limit being 100. */
const KEYS = { full: 2_000, quick: 500 }
/** Of keys that are each used once: so many for a round. */
const COLD_REQUESTS = 1_600
const COLD_AFTER_MS = 61_000
const IDLE_AFTER_MS = 1_000

const { values: flags } = parseArgs({
  options: {
    ...{ quick: { type: 'boolean' }, json: { type: 'boolean' }, slim: { type: 'boolean' } },
    processes: { type: 'string' },
    ...{ postgres: { type: 'string' }, binaries: { type: 'string' } },
  },
})
const [plan, size] = flags.quick ? ([QUICK, 'quick'] as const) : ([FULL, 'full'] as const)
const print = (text: string) => flags.json || process.stdout.write(`${text}\n`)
const cleanUp = new AsyncDisposableStack()
let givenUp = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, giveUp)

try {
  const errors = await runBench()
  process.exitCode = errors > 0 ? 1 : 0
} catch (error) {
  if (!givenUp) throw error
} finally {
  await end()
}

/** Answers how many requests failed. */
async function runBench() {
  const server = await openServer(flags, cleanUp)
  print(machineText(await readSetting(server), plan))
  for (const name of DATABASES) cleanUp.defer(() => dropDatabase(server, name))
  const rounds = plan.pairs + 1
  const keys = { warm: KEYS[size], cold: COLD_REQUESTS * rounds }
  const seeded = await seed(server, keys)
  const starts = await measureStarts(seeded)
  const control = stopLater(await startControl(seeded, flags.slim === true))
  const processes = Number(flags.processes ?? 0)
  const service = stopLater(
    await (processes > 0 ? startProcesses(seeded, processes) : startService(seeded)),
  )
  await sleep(IDLE_AFTER_MS)
  const idleMb = service.memoryMb()
  const contest = {
    programs: { service, control },
    readPostgresCpuUs: await openPostgresCpu(server),
  }

  const outcomes = await measureAll(seeded, contest)
  const deliveries = await measureDeliveries(service, seeded)
  print(`\n${deliveries.map(deliveryText).join('\n')}`)
  const afterMb = service.memoryMb()
  const weight: Weight = { idleMb, afterMb, ...starts }
  print(serviceText(weight))
  if (flags.json) process.stdout.write(`${toJson({ outcomes, deliveries, weight })}\n`)
  const all = [...outcomes.values()].flatMap(({ service, control }) => [service, control])
  return [...all, ...deliveries].reduce((sum, { errors }) => sum + errors, 0)
}

async function measureAll(seeded: Seeded, contest: Contest) {
  const outcomes = new Map<Work['name'], Outcome>()
  const measureWork = async (work: Work) => {
    const outcome = await measure(work, contest, plan)
    outcomes.set(work.name, outcome)
    print(outcomeText(work, outcome))
  }

  const quote = await readQuote(`${contest.programs.service.url}/pagar/${seeded.links[0]?.slug}`)
  const [create, ...others] = listWorks(seeded, quote)
  print(headText())
  // First, so that the keys are told from a program that has only just started.
  await measureWork(create)
  await measureWork(listUnknownKeysWork(seeded, COLD_REQUESTS))
  const coldAt = performance.now() + COLD_AFTER_MS
  for (const work of others) await measureWork(work)
  await sleep(Math.max(0, coldAt - performance.now()))
  await measureWork(listColdKeysWork(seeded, COLD_REQUESTS))
  if (flags.quick || flags.slim) return outcomes
  await addOlderLinks(seeded)
  await measureWork(listMillionWork(seeded))
  return outcomes
}

async function readSetting(serverUrl: string): Promise<Setting> {
  const [row] = await runStatement(
    serverUrl,
    `select current_setting('server_version') as postgres,
      case when pg_jit_available() then current_setting('jit') else 'not built in' end as jit`,
  )
  return { ...row, slim: flags.slim === true, processes: Number(flags.processes ?? 0) }
}

/** What the form of a link's page says its prices are. */
async function readQuote(pageUrl: string) {
  const html = await (await fetch(pageUrl)).text()
  const quote = /name="quote" value="([^"]+)"/.exec(html)?.[1]
  if (!quote) throw new Error(`${pageUrl} has no form to pay`)
  return quote
}

function stopLater(program: Program) {
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
