// The parts as docker-compose.yml puts them together: a service with a role that is no superuser, behind PgBouncer with
// the configuration that stands in .docker.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { changeOwner, UNPRIVILEGED_USER } from '../../src/database/embedded/os-user.ts'
import { reservePort } from '../support/port.ts'
import { startThrowawayPostgres } from '../support/postgres/throwaway.ts'
import { findPoolers } from '../support/processes/pooler.ts'
import { runProgram } from '../support/processes/program.ts'
import { REPOSITORY } from '../support/processes/repository-copy.ts'
import { SECRET_KEY, startService } from '../support/processes/service.ts'
import { createServiceRole, SERVICE_PASSWORD } from '../support/processes/service-role.ts'

const pooler = findPoolers()[0]
const server = await startThrowawayPostgres()
const direct = await createServiceRole(server.url)
const folder = mkdtempSync(join(tmpdir(), 'vintem-pooler-'))
let lending: ChildProcess | undefined

afterAll(async () => {
  lending?.kill('SIGKILL')
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** PgBouncer as it is configured there, but for where it and Postgres are; the address it lends at. */
async function startConfiguredPooler() {
  const port = await reservePort()
  const at = (name: string) => join(folder, name)
  const settings = readFileSync(join(REPOSITORY, '.docker/pgbouncer.ini'), 'utf8')
    .replace('host=postgres port=5432', `host=127.0.0.1 port=${new URL(direct).port}`)
    .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/tmp/users.txt', at('users.txt'))
  writeFileSync(at('pgbouncer.ini'), settings)
  writeFileSync(at('users.txt'), `"vintem" "${SERVICE_PASSWORD}"\n`)
  // It may lie where the account that it runs as cannot go.
  copyFileSync(findProgram(), at('pgbouncer'))
  for (const path of [folder, at('pgbouncer.ini'), at('users.txt')])
    changeOwner(path, UNPRIVILEGED_USER)
  lending = spawn(at('pgbouncer'), ['-q', at('pgbouncer.ini')], {
    ...UNPRIVILEGED_USER,
    stdio: 'ignore',
  })
  return Object.assign(new URL(direct), { port: String(port) }).href
}

function findProgram() {
  if (!pooler) throw new Error('No PgBouncer: name one in PGBOUNCER; .ci/pgbouncer/find makes one.')
  if (pooler.program.includes('/')) return pooler.program
  return spawnSync('which', [pooler.program], { encoding: 'utf8' }).stdout.trim()
}

test('an owner who is no superuser is served by the pooler, and sets up his role', async () => {
  const url = await startConfiguredPooler()
  const service = await startService(url)

  const ready = await fetch(`${service.baseUrl}/readyz`)
  const env = { DATABASE_URL: url, SECRET_KEY }
  const doctor = await runProgram(['doctor'], { env })

  expect(await ready.json()).toEqual({ status: 'ok' })
  expect(doctor.stdout).toContain('ok    role: vintem, no superuser\n')
  expect(doctor.stdout).toContain('ok    pooler: our role has its settings\n')
  expect(doctor.status).toBe(0)
  expect(await service.end()).toBe(0)
})
