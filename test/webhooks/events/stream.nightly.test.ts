// A thousand who follow events and do not read them: the process keeps its memory and its time for others.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { issueApiKey } from '../../../src/api/api-key.ts'
import { createCompany } from '../../../src/companies/company.ts'
import { createCipher } from '../../../src/database/encryption/cipher.ts'
import { MAX_COMPANY_STREAMS, MAX_STREAMS } from '../../../src/webhooks/events/stream.ts'
import { openDatabase } from '../../support/postgres/database.ts'
import { openStream } from '../../support/processes/event-stream.ts'
import { SECRET_KEY, startService } from '../../support/processes/service.ts'

const { db, url } = await openDatabase()
const service = await startService(url)
afterAll(() => service.end('SIGKILL'))

const COMPANIES = MAX_STREAMS / MAX_COMPANY_STREAMS
const BODY_BYTES = 4_000
/**
 * Nothing of it is kept: once Node has swept, what a thousand listeners hold is 25 MB of heap, and the bodies lie
 * in the kernel's buffers. Up to then it is what sixty events for each of them leave behind, and how soon Node
 * sweeps hangs on how busy the machine is.
 */
const MAX_GROWTH_MB = 250
const SOON = { timeout: 60_000 }

async function newKey() {
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const { test: company } = await createCompany(db, cipher, { name: 'Padaria Sol' })
  return { companyId: company.id, ...(await issueApiKey(db, company.id, 'Terminal')) }
}

/** Events of such a size for each of the companies. */
async function emitMany(companyIds: string[], count: number) {
  const text = `insert into events (id, company_id, type, body)
    select gen_random_uuid(), company, 'transaction.approved', to_json(repeat('x', $2))::text
    from unnest($1::uuid[]) company, generate_series(1, $3)`
  await db.$client.query(text, [companyIds, BODY_BYTES, count])
}

/** Follows, reads the head of the answer, and nothing more. */
async function followUnread(key: string) {
  const socket = connect(Number(new URL(service.baseUrl).port), 'localhost')
  onTestFinished(() => {
    socket.destroy()
  })
  const status = await new Promise<string>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (data) => resolve(data.toString('latin1', 9, 12)))
    socket.write(
      `GET /api/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    )
  })
  socket
    .pause()
    .removeAllListeners('error')
    .on('error', () => {})
  return { socket, status }
}

function readMemoryMb() {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024)
}

async function timeRequest(key: string) {
  const startedAt = performance.now()
  const headers = { authorization: `Bearer ${key}` }
  const { status } = await fetch(`${service.baseUrl}/api/payment-links`, { headers })
  return { status, ms: performance.now() - startedAt }
}

test('a thousand readers who do not read cost little, hold up no other, and make room again', async () => {
  const keys = await Promise.all(Array.from({ length: COMPANIES }, newKey))
  const [first, another] = [keys[0]!, await newKey()]
  const before = readMemoryMb()
  const unread: { socket: Socket; status: string }[] = []
  for (const { key } of keys) {
    const own = Array.from({ length: MAX_COMPANY_STREAMS }, () => followUnread(key))
    unread.push(...(await Promise.all(own)))
  }
  const connected = readMemoryMb()

  const full = await openStream(`${service.baseUrl}/api/events/stream`, another.key)
  await emitMany(
    keys.map(({ companyId }) => companyId),
    60,
  )
  const asked = []
  for (let i = 0; i < 20; i++) asked.push(await timeRequest(another.key))
  const told = readMemoryMb()
  // More than fits into a connection that is not read.
  await emitMany([first.companyId], 1_500)
  await expect
    .poll(
      async () =>
        (await openStream(`${service.baseUrl}/api/events/stream`, first.key)).answer.status,
      {
        ...SOON,
        interval: 2_000,
      },
    )
    .toBe(200)
  const afterwards = readMemoryMb()

  const slowest = Math.round(Math.max(...asked.map(({ ms }) => ms)))
  process.stdout.write(
    `1,000 streams: ${before} MB before, ${connected} connected, ${told} with 60,000 events unread, ${afterwards} at the end; slowest other request ${slowest} ms\n`,
  )
  expect(new Set(unread.map(({ status }) => status))).toEqual(new Set(['200']))
  expect(full.answer.status).toBe(429)
  expect(await full.answer.json()).toEqual({
    status: 'error',
    message:
      'Este servidor não aceita mais conexões abertas com os eventos. Tente novamente em instantes.',
  })
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]))
  expect(slowest).toBeLessThan(5_000)
  expect(Math.max(told, afterwards) - before).toBeLessThan(MAX_GROWTH_MB)
}, 240_000)
