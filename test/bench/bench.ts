// npm run bench: the service beside a bare control (control.ts) on one Postgres, as ratios.
//   -- --quick          fewer and shorter rounds
//   -- --postgres URL   on a server that runs already, as a superuser
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { measureDeliveries } from './deliveries.ts'
import { startControl, startService } from './programs.ts'
import { compareSpeed, type Plan } from './rounds.ts'
import { DATABASES, LINKS, seedDatabase } from './seed.ts'
import { dropDatabase, openServer } from './server.ts'
import { listWorks } from './works.ts'

const FULL: Plan = { connections: 64, roundS: 2, pairs: 3 }
const QUICK: Plan = { connections: 64, roundS: 0.7, pairs: 2 }
const IDLE_AFTER_MS = 1_000
/** Node's own word for "nothing compiled earlier is used". */
const COLD = { NODE_DISABLE_COMPILE_CACHE: '1' }

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, postgres: { type: 'string' } },
})
const plan = flags.quick ? QUICK : FULL
const print = (text: string) => process.stdout.write(`${text}\n`)

print(
  `${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)} before we began; ${LINKS} links, ${plan.connections} connections`,
)
const server = await openServer(flags.postgres)
const seeded = await seedDatabase(server.url)
const cold = await startService(seeded.serviceUrl, seeded.secretKey, COLD)
await cold.stop()
const service = await startService(seeded.serviceUrl, seeded.secretKey)
const control = await startControl(seeded)
await sleep(IDLE_AFTER_MS)
const idleMb = service.memoryMb()
const quote = await readQuote(`${service.url}/pagar/${seeded.links[0]?.slug}`)

print('requests per second over those of the control, and the service’s own:')
for (const work of listWorks(seeded, quote)) {
  const urls = { service: service.url, control: control.url }
  const { ratio, range, perSecond, p50, p99, errors } = await compareSpeed(work, urls, plan)
  const [lowest, highest] = range.map((one) => one.toFixed(2))
  print(
    `${work.title.padEnd(30)} ${ratio.toFixed(2)} (${lowest}–${highest})  ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${errors} errors`,
  )
  if (errors > 0) process.exitCode = 1
}
for (const line of await measureDeliveries(service, seeded)) print(line)
print(
  `first answer: ${cold.startMs.toFixed(0)} ms cold, ${service.startMs.toFixed(0)} ms warm; memory: ${idleMb.toFixed(0)} MB idle, ${service.memoryMb().toFixed(0)} MB after the load`,
)
await service.stop()
await control.stop()
for (const name of DATABASES) await dropDatabase(server.url, name)
await server.stop()

/** What the form of a link's page says its prices are. */
async function readQuote(pageUrl: string) {
  const html = await (await fetch(pageUrl)).text()
  const quote = /name="quote" value="([^"]+)"/.exec(html)?.[1]
  if (!quote) throw new Error(`${pageUrl} has no form to pay`)
  return quote
}
