// The service as the owner of its database, who is no superuser: all that it does, it may.
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { listMissingRoleSettings } from '../../src/database/session.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { startThrowawayPostgres } from '../support/postgres/throwaway.ts'
import { runProgram } from '../support/processes/program.ts'
import { SECRET_KEY, startService } from '../support/processes/service.ts'
import { createServiceRole } from '../support/processes/service-role.ts'

const server = await startThrowawayPostgres()
afterAll(server.stop)
const url = await createServiceRole(server.url)

async function runCommand(databaseUrl: string, ...args: string[]) {
  const env = { DATABASE_URL: databaseUrl, SECRET_KEY }
  return (await runProgram(args, { env })).stdout
}

async function readCheck(about: string, databaseUrl: string) {
  const checks = await runCommand(databaseUrl, 'doctor')
  return checks.split('\n').find((line) => line.includes(`${about}: `))
}

test('an owner without a superuser’s rights migrates, listens, serves and is paid', async () => {
  const service = await startService(url)
  const company = JSON.parse(await runCommand(url, 'company', 'create', '--name', 'Sol', '--json'))
  const { key } = JSON.parse(
    await runCommand(url, 'key', 'create', '--company', company.id, '--name', 'Loja', '--json'),
  )
  const post = async (path: string, body?: object) => {
    const response = await fetch(`${service.baseUrl}/api/payment-links${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    })
    return response.json()
  }

  const { slug } = await post('', { title: 'Bolo', amountCents: 1990, methods: ['pix'] })
  const paid = await post(`/${slug}/simulate-payment`)
  const ready = await fetch(`${service.baseUrl}/readyz`)

  expect(paid).toMatchObject({ status: 'approved' })
  expect(await ready.json()).toEqual({ status: 'ok' })
  expect(await runStatement(url, 'select count(*)::int from pg_extension')).toEqual([{ count: 3 }])
  expect(await service.end()).toBe(0)
  expect(service.lines.join('\n')).not.toMatch(/permission denied|must be/)
})

test('it gives itself the settings that sessions need behind a pooler', async () => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()

  const missing = await listMissingRoleSettings(client)
  for (const sentence of missing) await client.query(sentence)
  const left = await listMissingRoleSettings(client)
  await client.end()

  expect(missing).toHaveLength(7)
  expect(left).toEqual([])
})

test('the doctor tells a superuser from a plain owner', async () => {
  const asSuperuser = Object.assign(new URL(server.url), { pathname: '/vintem' }).href

  expect(await readCheck('role', url)).toBe('ok    role: vintem, no superuser')
  expect(await readCheck('role', asSuperuser)).toMatch(/^warn {2}role: postgres is a superuser — /)
})

test('no password lets a person in as the superuser', async () => {
  const [{ without }] = (await runStatement(
    server.url,
    "select rolpassword is null as without from pg_authid where rolname = 'postgres'",
  )) as [{ without: boolean }]

  expect(without).toBe(true)
})
