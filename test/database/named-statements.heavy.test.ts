import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { keepsNamedStatements } from '../../src/database/named-statements.ts'
import { applyRoleSettings } from '../../src/database/session.ts'
import { isOutage } from '../../src/outage.ts'
import { openDatabase } from '../support/postgres/database.ts'

const { db, url } = await openDatabase()

/** A proxy that knows nothing of Postgres; it may swallow what is asked after the greeting. */
async function openProxy({ swallowing = false } = {}) {
  const { hostname, port } = new URL(url)
  const server = createServer((near) => {
    const far = connectTo(Number(port), hostname)
    far.pipe(near)
    let messages = 0
    near.on('data', (chunk) => {
      if (messages++ < 1 || !swallowing) far.write(chunk)
    })
    for (const [socket, other] of [[near, far] as const, [far, near] as const])
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port: ours } = server.address() as AddressInfo
  return Object.assign(new URL(url), { host: `127.0.0.1:${ours}` }).href
}

test('behind a proxy that is no pooler statements are kept, and our role is left alone', async () => {
  const behind = await openProxy()

  await applyRoleSettings(behind)

  expect(await keepsNamedStatements(behind)).toBe(true)
  const set = `select from pg_db_role_setting
    join pg_database on pg_database.oid = setdatabase where datname = current_database()`
  expect((await db.$client.query(set)).rows).toEqual([])
})

test('who answers nothing is tried again rather than refused', async () => {
  const behind = await openProxy({ swallowing: true })

  const failure = await keepsNamedStatements(behind).catch((error: unknown) => error)

  expect(isOutage(failure)).toBe(true)
})
