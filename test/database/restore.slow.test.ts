// A backup as OPERATING.md says to make one, by Postgres' own programs, brought back into another database; and
// the oldest Postgres that can be had here.
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPackagedPostgres, startPackagedPostgres } from '../support/postgres/packaged.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { runProgram } from '../support/processes/program.ts'
import { makeFolder } from '../support/processes/reaper.ts'
import { SECRET_KEY, startService } from '../support/processes/service.ts'
import { createServiceRole } from '../support/processes/service-role.ts'

const binaries = findPackagedPostgres()

test.skipIf(!binaries)(
  'what was dumped is served by another database as it was',
  async () => {
    const folder = makeFolder('restore')
    const server = await startPackagedPostgres(String(binaries), folder)
    onTestFinished(server.stop)
    const source = await createServiceRole(server.url)
    const target = Object.assign(new URL(source), { pathname: '/restored' }).href
    await runStatement(server.url, 'create database restored owner vintem')
    const { key, links } = JSON.parse((await run(source, 'demo', '--json')).stdout)
    const file = join(folder, 'vintem.dump')

    execFileSync(join(String(binaries), 'bin/pg_dump'), ['-Fc', '-f', file, source])
    const restore = ['--no-owner', '-d', target, file]
    const restored = spawnSync(join(String(binaries), 'bin/pg_restore'), restore, {
      encoding: 'utf8',
    })

    expect(restored).toMatchObject({ status: 0, stderr: '' })
    const service = await startService(target)
    const headers = { authorization: `Bearer ${key}` }
    const read = async (path: string) => (await fetch(service.baseUrl + path, { headers })).json()
    const all = await read('/api/payment-links?limit=100')
    const archived = await read('/api/payment-links?limit=100&status=archived')
    const named = await read(`/api/payment-links?q=${encodeURIComponent(all.data[0].title)}`)
    expect(all.data.length + archived.data.length).toBe(links)
    expect(named.data).toContainEqual(all.data[0])
    expect(await run(target, 'doctor')).toMatchObject({ status: 0, stderr: '' })
    expect(await service.end()).toBe(0)
  },
  240_000,
)

function run(url: string, ...args: string[]) {
  return runProgram(args, { env: { DATABASE_URL: url, SECRET_KEY } })
}
