// The password of the embedded Postgres, and a file of it that was lost or spoilt.
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { findEmbeddedPostgresUrl } from '../../src/database/embedded/server.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { openEmbeddedRuns, readServerPid } from '../support/processes/embedded-runs.ts'
import { makeFolder } from '../support/processes/reaper.ts'

const scratch = makeFolder('embedded-password')
chmodSync(scratch, 0o755)
const home = join(scratch, '.data')
mkdirSync(home)
const file = join(home, 'postgres-password')
const { run } = openEmbeddedRuns(scratch)

test('the database asks for a password, which only its owner can read', async () => {
  const { url, end } = await run(home)
  const wrong = Object.assign(new URL(url), { password: 'guess' }).href

  const refused = runStatement(wrong, 'select 1')

  await expect(refused).rejects.toMatchObject({ code: '28P01' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(new URL(url).password).toHaveLength(32)
  await end()
})

test.each([
  ['lost', () => rmSync(file)],
  ['empty', () => writeFileSync(file, '')],
  ['no password', () => writeFileSync(file, '@/ ?#\n')],
])('a password file that is %s is no obstacle: another password is set', async (_what, spoil) => {
  const first = await run(home)
  await runStatement(first.url, 'create table if not exists kept ()')
  await first.end()
  spoil()

  const second = await run(home)
  const answer = await runStatement(second.url, 'select count(*)::int from kept')
  const found = await findEmbeddedPostgresUrl({ dataDir: home })
  await second.end()

  expect(answer).toEqual([{ count: 0 }])
  expect(found).toBe(second.url)
  expect(second.url).not.toContain(new URL(first.url).password)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('while a server runs its lost password is asked for', async () => {
  const first = await run(home)
  const pid = readServerPid(home)
  const kept = readFileSync(file)
  rmSync(file)

  const found = findEmbeddedPostgresUrl({ dataDir: home })
  const sentence = new RegExp(`postgres-password is lost: put it back, or end process ${pid}, `)
  await expect(found).rejects.toThrow(sentence)
  const second = await run(home)
  writeFileSync(file, kept, { mode: 0o600 })
  await first.end()

  expect(second.refused).toMatch(sentence)
})

test('a program goes on without the file of its password, also when its database dies', async () => {
  const { url, end } = await run(home)
  const kept = readFileSync(file)
  rmSync(file)

  process.kill(readServerPid(home), 'SIGKILL')
  const answers = await vi.waitFor(() => runStatement(url, 'select 1 as one'), { timeout: 10_000 })
  writeFileSync(file, kept, { mode: 0o600 })
  await end()

  expect(answers).toEqual([{ one: 1 }])
})
