// How long after its approval a payment's webhook is with its receiver: one payment after the other, and
// as many as go at once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from 'autocannon'
import { connectDatabase } from '../../src/database/connect.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/endpoint.ts'
import { type Program, startProgram } from './programs.ts'
import { pickShare, sendLoad } from './rounds.ts'
import type { Seeded } from './seed.ts'
import { everyTime, keyOf, PAID_LINKS, payers } from './works.ts'

const RUNS = [
  { connections: 1, amount: 300 },
  { connections: 16, amount: 2_000 },
]
const CREATED = 201
const ARRIVAL_LIMIT_MS = 15_000
const LOOK_MS = 250

/** One line for each run. */
export async function measureDeliveries(service: Program, seeded: Seeded) {
  const receiver = await startProgram('test/bench/receiver.ts', '/')
  const { serviceUrl, secretKey, companyId } = seeded
  const db = connectDatabase(serviceUrl)
  const endpoint = { companyId, url: receiver.url, allowPrivate: true }
  await createEndpoint(db, createCipher(secretKey), endpoint)
  await db.$client.end()
  const lines: string[] = []
  for (const run of RUNS) lines.push(await measureRun(service, receiver, seeded, run))
  await receiver.stop()
  return lines
}

async function measureRun(
  service: Program,
  receiver: Program,
  seeded: Seeded,
  { connections, amount }: (typeof RUNS)[number],
) {
  const requests = everyTime((turn) => buildPayment(seeded, turn))
  const load = { requests, status: CREATED, connections, until: { amount } }
  const { latenciesMs, errors } = await sendLoad(service.url, load)
  const received = await collectLatencies(receiver.url, latenciesMs.length)
  const at = pickShare(received)
  const many = connections === 1 ? 'one after the other' : `${connections} payments at once`
  return `approval to receiver, ${many}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${received.length} webhooks, ${errors} errors`
}

/** Until all have come, or nothing more is to be hoped for. */
async function collectLatencies(url: string, count: number) {
  const received: number[] = []
  for (
    let waitedMs = 0;
    waitedMs < ARRIVAL_LIMIT_MS && received.length < count;
    waitedMs += LOOK_MS
  ) {
    await sleep(LOOK_MS)
    const some: number[] = JSON.parse(await (await fetch(url)).text())
    received.push(...some)
  }
  return received
}

/** Each a Pix of another payer, paid at once. */
function buildPayment({ links, secrets }: Seeded, turn: number): Request {
  const key = keyOf(secrets[turn % secrets.length]!)
  const headers = { ...key, 'content-type': 'application/json' }
  const path = `/api/payment-links/${links[turn % PAID_LINKS]?.slug}/simulate-payment`
  const body = JSON.stringify({ method: 'pix', payer: payers[turn % payers.length] })
  return { method: 'POST', path, headers, body }
}
