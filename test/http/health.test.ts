import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '../../src/database/connect.ts'
import { eq, sql } from '../../src/database/drizzle.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { CANARY_NAME } from '../../src/database/encryption/columns.ts'
import { installation } from '../../src/database/tables.ts'
import { reservePort } from '../support/port.ts'
import { MINIMAL_LINK, startTestApp } from '../support/test-app.ts'

const { app, db, url, needs, logged, newCompany, anotherProcess } = await startTestApp()

const LINKS = '/api/payment-links'
const [OLD_KEY, NEW_KEY] = [randomBytes(32), randomBytes(32)]
const UNAVAILABLE = {
  status: 'error',
  code: 'unavailable',
  message: 'Serviço temporariamente indisponível.',
}

app.get('/slow', () =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 1`)
    await tx.execute(sql`select pg_sleep(5), ${'52998224725'}::text`)
  }),
)

afterEach(() => {
  needs.lifecycle.phase = 'ready'
})

/** The way to the database, which can be cut and mended. */
async function openWay() {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = connectTo(Number(port), hostname)
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(socket)
      socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket))
      socket.pipe(other)
    }
  })
  const cut = async () => {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  const ours = await reservePort()
  const mend = () => once(server.listen(ours, '127.0.0.1'), 'listening')
  await mend()
  onTestFinished(cut)
  return { cut, mend, url: Object.assign(new URL(url), { host: `127.0.0.1:${ours}` }).href }
}

test('a process that runs is alive, and ready when its database answers', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const response = await app.inject(path)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ status: 'ok' })
  }
})

test('a process that does not know the key of by now is not ready, and says so in the log', async () => {
  const known = await anotherProcess({ cipher: createCipher(NEW_KEY, OLD_KEY) })
  const behind = await anotherProcess({ cipher: createCipher(OLD_KEY) })
  const ask = () => Promise.all([known, behind].map((process) => process.inject('/readyz')))
  const seal = (key: Buffer) => {
    const value = createCipher(key).encrypt('vintem', 'installation.value', CANARY_NAME)
    const row = { name: CANARY_NAME, value: value.toString('base64') }
    const { name } = installation
    return db.insert(installation).values(row).onConflictDoUpdate({ target: name, set: row })
  }

  await seal(OLD_KEY)
  const before = await ask()
  await seal(NEW_KEY)
  const after = await ask()
  await db.delete(installation).where(eq(installation.name, CANARY_NAME))

  expect(before.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(after.map(({ statusCode }) => statusCode)).toEqual([200, 503])
  expect(logged.join()).toContain('SECRET_KEY is not the one that')
})

test('until it is ready a process is alive and says when to come again', async () => {
  needs.lifecycle.phase = 'starting'

  expect((await app.inject('/healthz')).statusCode).toBe(200)
  for (const path of ['/readyz', LINKS, '/pagar/2222222222']) {
    const response = await app.inject(path)
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  }
})

test('what comes a moment before a process is ready waits for it', async () => {
  const process = await anotherProcess({ startPatienceMs: 10_000 })
  needs.lifecycle.phase = 'starting'
  const early = process.inject('/pagar/2222222222')

  expect((await process.inject('/readyz')).statusCode).toBe(503)
  needs.lifecycle.phase = 'ready'

  expect((await early).statusCode).toBe(404)
})

test('a process that closes is not ready, and lets go of its connections', async () => {
  const company = await newCompany()
  needs.lifecycle.phase = 'closing'

  const [ready, list] = [await app.inject('/readyz'), await company.get(LINKS)]

  expect([ready.statusCode, list.statusCode]).toEqual([503, 200])
  expect([ready.headers.connection, list.headers.connection]).toEqual(['close', 'close'])
})

test('while the database is gone answers are 503, and then all is well without a restart', async () => {
  const way = await openWay()
  const behind = connectDatabase(way.url)
  onTestFinished(() => behind.$client.end())
  const process = await anotherProcess({ db: behind })
  const company = await newCompany()
  const headers = { authorization: `Bearer ${company.key}` }
  const { slug } = (await company.post(LINKS, MINIMAL_LINK)).json()
  const page = { url: `/pagar/${slug}` }
  const requests = [
    { url: '/readyz' },
    { url: LINKS, headers },
    { method: 'POST' as const, url: LINKS, headers, payload: MINIMAL_LINK },
  ]
  for (const request of requests)
    expect((await process.inject(request)).statusCode).toBeLessThan(300)

  await way.cut()

  expect((await process.inject('/healthz')).statusCode).toBe(200)
  for (const request of requests) {
    const response = await process.inject(request)
    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject(UNAVAILABLE)
    expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  }
  const seen = await process.inject(page)
  expect(seen.statusCode).toBe(503)
  expect(seen.headers).toMatchObject({
    'retry-after': expect.stringMatching(/^[1-9]\d*$/),
    'content-type': 'text/html; charset=utf-8',
  })

  await way.mend()

  for (const request of [...requests, page]) {
    await expect.poll(async () => (await process.inject(request)).statusCode).toBeLessThan(300)
  }
})

test('a statement that takes too long is given up, and its values are not logged', async () => {
  const response = await app.inject('/slow')

  expect(response.statusCode).toBe(503)
  expect(response.json()).toMatchObject(UNAVAILABLE)
  expect(logged.join()).toContain('canceling statement due to statement timeout')
  expect(logged.join()).not.toContain('52998224725')
})

test('a process that cannot write is not ready, alive as it is', async () => {
  await db.$client.query(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no space left' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on installation
      for each statement execute function refuse()`)

  // A probe counts for two seconds.
  const readiness = async () => (await app.inject('/readyz')).statusCode
  await expect.poll(readiness, { interval: 200 }).toBe(503)

  expect((await app.inject('/healthz')).statusCode).toBe(200)
  await db.$client.query('drop function refuse cascade')
})
