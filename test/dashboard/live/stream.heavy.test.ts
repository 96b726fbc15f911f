// A thousand open dashboards: the database is asked no more often than by one of them, and the process keeps its
// memory.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createCompany } from '../../../src/companies/company.ts'
import { createCipher } from '../../../src/database/sealing/encryption.ts'
import { createSession } from '../../../src/users/session.ts'
import { openDatabase } from '../../support/postgres/database.ts'
import { SECRET_KEY, startService } from '../../support/processes/service.ts'
import { writeUser } from '../../support/users.ts'

const { db, url } = await openDatabase()
const service = await startService(url)
afterAll(() => service.end('SIGKILL'))

const WATCHED_MS = 20_000
/** A connection that has nothing to do tells within this what it did (PGSTAT_IDLE_INTERVAL). */
const TOLD_WITHIN_MS = 11_000
const STREAMS_PER_SESSION = 5
/** Some 50 kB of each: its socket, its request and what Node has not swept yet. */
const MAX_GROWTH_MB = 100

function readMemoryMb() {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024)
}

/** What the service has asked of this database so far. */
async function countTransactions() {
  const { rows } = await db.$client.query<{ n: number }>(
    'select (xact_commit + xact_rollback)::int as n from pg_stat_database where datname = current_database()',
  )
  return rows[0]!.n
}

async function measureRate() {
  await sleep(TOLD_WITHIN_MS)
  const before = await countTransactions()
  await sleep(WATCHED_MS)
  return ((await countTransactions()) - before) / (WATCHED_MS / 1_000)
}

async function newCookie(companyId: string, n: number) {
  const { id } = await writeUser(db, { companyId, email: `p${n}@exemplo.com.br`, role: 'member' })
  const seat = { userId: id, address: '203.0.113.7', userAgent: 'Testes', now: new Date() }
  return `painel=${(await createSession(db, seat)).token}`
}

/** Holds a stream open and counts the messages that it is told. */
async function watchDashboard(cookie: string) {
  const seen = { news: 0, status: '' }
  const socket = connect(Number(new URL(service.baseUrl).port), 'localhost')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      const text = data.toString()
      seen.status ||= text.slice(9, 12)
      seen.news += text.match(/^data: \{"payments"/gm)?.length ?? 0
      resolve()
    })
    socket.write(
      `GET /painel/ao-vivo HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nCookie: ${cookie}\r\n\r\n`,
    )
  })
  return seen
}

test('a thousand open dashboards ask no more of the database than one', async () => {
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const { real, test: company } = await createCompany(db, cipher, { name: 'Padaria Sol' })
  const watching: Awaited<ReturnType<typeof watchDashboard>>[] = []
  let sessions = 0
  const openUntil = async (count: number) => {
    while (watching.length < count) {
      const cookie = await newCookie(real.id, sessions++)
      const wanted = Math.min(STREAMS_PER_SESSION, count - watching.length)
      watching.push(
        ...(await Promise.all(Array.from({ length: wanted }, () => watchDashboard(cookie)))),
      )
    }
  }

  await openUntil(1)
  const one = { rate: await measureRate(), memory: readMemoryMb() }
  await openUntil(1_000)
  const thousand = { rate: await measureRate(), memory: readMemoryMb() }
  await db.$client.query(
    `insert into events (id, company_id, type, body) values (gen_random_uuid(), $1, 'transaction.approved', '{}')`,
    [company.id],
  )
  await db.$client.query("select pg_notify('event_recorded', $1)", [company.id])
  const startedAt = performance.now()
  await expect
    .poll(() => watching.filter(({ news }) => news === 1).length, { timeout: 10_000 })
    .toBe(1_000)
  const told = Math.round(performance.now() - startedAt)

  const texts = [one, thousand].map(
    ({ rate, memory }) => `${rate.toFixed(1)} statements a second and ${memory} MB`,
  )
  process.stdout.write(
    `of 1 and 1,000 dashboards: ${texts.join('; ')}; all were told within ${told} ms\n`,
  )
  expect(new Set(watching.map(({ status }) => status))).toEqual(new Set(['200']))
  expect(thousand.rate).toBeLessThan(one.rate + 2)
  expect(thousand.memory - one.memory).toBeLessThan(MAX_GROWTH_MB)
}, 240_000)
