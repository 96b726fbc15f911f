import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { connectDatabase } from '../../src/database/connect.ts'
import { findRunningServer } from '../../src/database/embedded/cluster.ts'
import { UNPRIVILEGED_USER } from '../../src/database/embedded/os-user.ts'
import { findEmbeddedPostgresUrl } from '../../src/database/embedded/server.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { awaitExit, openEmbeddedRuns, readServerPid } from '../support/processes/embedded-runs.ts'
import { copyRepository, REPOSITORY } from '../support/processes/repository-copy.ts'

const ROOT = process.getuid?.() === 0
const scratch = mkdtempSync(join(tmpdir(), 'vintem-embedded-'))

// Most tests go on with the cluster of the one before: to make one takes longer than all of them.
const home = join(scratch, 'home/.data')
mkdirSync(home, { recursive: true })
if (ROOT) chmodSync(scratch, 0o755)

afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))
const { run, strange } = openEmbeddedRuns(scratch)

/** A connection that stays open. */
async function openSession(url: string) {
  const db = connectDatabase(url)
  onTestFinished(() => db.$client.end())
  await db.$client.query('select 1')
}

test('data survives a kill -9 of the database and of the program', async () => {
  const first = await run(home)
  await runStatement(first.url, 'create table payments (cents int)')
  await runStatement(first.url, 'insert into payments values (1990)')

  process.kill(readServerPid(home), 'SIGKILL')
  await first.kill()
  const second = await run(home)

  expect(await runStatement(second.url, 'select cents from payments')).toEqual([{ cents: 1990 }])
  await second.end()
})

test('a database ends with its program, also when that is killed, and the next one starts it anew', async () => {
  const first = await run(home)
  const pid = readServerPid(home)
  await openSession(first.url)
  await first.kill()

  const second = await run(home)
  const answers = await runStatement(second.url, 'select 1 as one')
  const next = readServerPid(home)
  await second.end()

  expect(answers).toEqual([{ one: 1 }])
  expect(next).not.toBe(pid)
  expect(findRunningServer(join(home, 'postgres'))).toBeUndefined()
})

test('a database that dies under its program comes back at the same url', async () => {
  const { url, end } = await run(home)
  const pid = readServerPid(home)

  process.kill(pid, 'SIGKILL')
  const answers = await vi.waitFor(() => runStatement(url, 'select 1 as one'), { timeout: 10_000 })

  expect(answers).toEqual([{ one: 1 }])
  expect(readServerPid(home)).not.toBe(pid)
  await end()
})

test('a pid that a killed database left behind and another process now has is no obstacle', async () => {
  const lock = join(home, 'postgres/postmaster.pid')
  const { end } = await run(home)
  const left = readFileSync(lock, 'utf8')
  await end()
  const stranger = strange(UNPRIVILEGED_USER)
  writeFileSync(lock, left.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 })
  if (ROOT) chownSync(lock, 65534, 65534)

  const found = await findEmbeddedPostgresUrl({ dataDir: home })
  const second = await run(home)

  expect(found).toBeUndefined()
  expect(await runStatement(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await second.end()
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
})

test.each([
  ['empty', ''],
  ['not what Postgres writes', 'what is this?\n'],
  ['cut off', '12345\n/somewhere\n'],
])('a postmaster.pid that is %s is no obstacle', async (_what, content) => {
  const lock = join(home, 'postgres/postmaster.pid')
  writeFileSync(lock, content, { mode: 0o600 })
  if (ROOT) chownSync(lock, 65534, 65534)

  const found = await findEmbeddedPostgresUrl({ dataDir: home })
  const { url, end } = await run(home)

  expect(found).toBeUndefined()
  expect(await runStatement(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await end()
})

test('a command beside the program finds its database, and nothing once it has stopped', async () => {
  const { url, end } = await run(home)

  const during = await findEmbeddedPostgresUrl({ dataDir: home })
  await end()
  const after = await findEmbeddedPostgresUrl({ dataDir: home })

  expect(during).toBe(url)
  expect(after).toBeUndefined()
  expect(await findEmbeddedPostgresUrl({ dataDir: join(scratch, 'never') })).toBeUndefined()
})

test('a second program is refused while the first one has the database, and does not stop it', async () => {
  const first = await run(home)

  const second = await run(home)

  expect(second.refused).toBe(
    'The embedded Postgres does not start (another program is using it): ' +
      'set DATABASE_URL to a Postgres of your own.',
  )
  expect(await runStatement(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await first.end()
})

const AS_IN_A_CONTAINER = ['setpriv', '--bounding-set', '-sys_ptrace', '--inh-caps', '-sys_ptrace']
const HAS_SETPRIV = ROOT && spawnSync('setpriv', ['--version']).status === 0

test.runIf(HAS_SETPRIV)(
  'root that may not trace processes, as in a container, finds the database of another program and stops its own (skipped where root does not run it)',
  async () => {
    const first = await run(home, { launcher: AS_IN_A_CONTAINER })
    const pid = readServerPid(home)

    const second = await run(home, { launcher: AS_IN_A_CONTAINER })
    const lasting = readServerPid(home)
    const endedAt = performance.now()
    await first.end()

    expect(second.refused).toContain('(another program is using it)')
    expect(lasting).toBe(pid)
    expect(performance.now() - endedAt).toBeLessThan(5_000)
    expect(findRunningServer(join(home, 'postgres'))).toBeUndefined()
  },
)

test('a Ctrl-C reaches the program before it stops the database', async () => {
  const { program, next } = await run(home)

  process.kill(-(program.pid as number), 'SIGINT')
  const answer = await next()
  await awaitExit(program)

  expect(answer).toEqual({ still: 1 })
  expect(findRunningServer(join(home, 'postgres'))).toBeUndefined()
})

test('a closed checkout without links between the libraries keeps its data inside', async () => {
  const closed = join(scratch, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  const checkout = copyRepository(closed, { binaries: true })
  const dataDir = join(checkout, '.data')
  const first = await run(dataDir, { checkout })
  await runStatement(first.url, 'create table payments as select 1990 as cents')
  process.kill(readServerPid(dataDir), 'SIGKILL')
  await first.kill()

  const second = await run(dataDir, { checkout })

  expect(await runStatement(second.url, 'select cents from payments')).toEqual([{ cents: 1990 }])
  expect(existsSync(join(dataDir, 'postgres/PG_VERSION'))).toBe(true)
  expect(statSync(closed).mode & 0o777).toBe(0o700)
  await second.end()
})

test.runIf(ROOT)(
  'root leaves the data to the owner of the checkout (skipped where root does not run it)',
  async () => {
    const checkout = join(scratch, 'closed/checkout')
    const dataDir = join(checkout, '.data')
    rmSync(dataDir, { recursive: true })
    chownSync(checkout, 12_345, 12_345)

    const { url, end } = await run(dataDir, { checkout })
    const answer = await runStatement(url, 'select 1 as one')
    await end()

    expect(answer).toEqual([{ one: 1 }])
    for (const name of [
      '',
      'postgres',
      'postgres/PG_VERSION',
      'postgres-password',
      'postgres.log',
    ]) {
      expect(statSync(join(dataDir, name)).uid, name).toBe(12_345)
    }
  },
)

test('without binaries for the platform one sentence says what to do', async () => {
  const checkout = copyRepository(join(scratch, 'bare'), { binaries: false })

  const { refused } = await run(join(checkout, '.data'), { checkout })

  expect(refused).toMatch(/^No embedded Postgres is installed for \S+ \(.*\): set DATABASE_URL to/)
})

test.runIf(ROOT)(
  'an ordinary user runs it, and is told when the data is another’s (skipped where root does not run it)',
  async ({ skip }) => {
    const ours = join(scratch, 'ordinary/.data')
    mkdirSync(ours, { recursive: true })
    chownSync(ours, 65534, 65534)
    const read = `fs.readFileSync(${JSON.stringify(join(REPOSITORY, 'package.json'))})`
    const probe = spawnSync(process.execPath, ['-e', read], { ...UNPRIVILEGED_USER, cwd: '/' })
    if (probe.status !== 0) skip('other users can’t read this checkout or this Node')

    const { url, end } = await run(ours, { account: UNPRIVILEGED_USER })
    const answer = await runStatement(url, 'select 1 as one')
    const { refused } = await run(home, { account: { uid: 65533, gid: 65533 } })

    expect(answer).toEqual([{ one: 1 }])
    expect(refused).toContain('belongs to another user')
    await end()
  },
)
