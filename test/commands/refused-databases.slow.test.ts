// A database that refuses every client: start, commands and doctor end at once, each with one sentence.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { runStatement } from '../support/postgres/statement.ts'
import { startPostgresWithPassword } from '../support/postgres/with-password.ts'
import { PROGRAM_ENV, runProgram } from '../support/processes/program.ts'
import { makeFolder, reapAtExit } from '../support/processes/reaper.ts'

const SRC = join(import.meta.dirname, '../../src')
const SECRET_KEY = randomBytes(32).toString('base64')
/** Far less than the minute after which Postgres gives up by itself. */
const AT_ONCE_MS = 20_000

// It asks for passwords, which the Postgres of the other tests does not.
const { url, stop } = await startPostgresWithPassword(makeFolder('database'))
afterAll(stop)
await runStatement(url, "create role fechado nologin password 'segredo'")
await runStatement(url, "create role leitor login password 'segredo'")
const change = (parts: Partial<URL>) => Object.assign(new URL(url), parts).href

function run(program: 'cli.ts' | 'main.ts', DATABASE_URL: string, ...words: string[]) {
  const env = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL, SECRET_KEY }
  return runProgram(words, { program, env, timeoutMs: AT_ONCE_MS })
}

const SENTENCE = /^The database cannot be used \([^\n]+\): [^\n]+\.\n$/

test.each([
  ['no password', change({ password: '' }), /it asks for a password, and DATABASE_URL has none/],
  ['an unknown user', change({ username: 'ninguem' }), /check the user and the password in DATABA/],
  ['a user who may not sign in', change({ username: 'fechado', password: 'segredo' }), /pg_hba/],
  [
    'a user who may only read',
    change({ username: 'leitor', password: 'segredo' }),
    /owns its data/,
  ],
  ['an unknown database', change({ pathname: '/nenhum' }), /create this database, or name another/],
  ['TLS that it does not speak', change({ search: '?sslmode=verify-full' }), /remove sslmode from/],
])('%s', async (_what, databaseUrl, advice) => {
  const { status, stderr } = await run('cli.ts', databaseUrl, 'company', 'list')

  expect(status).toBe(1)
  expect(stderr).toMatch(SENTENCE)
  expect(stderr).toMatch(advice)
})

test('a wrong password is said by the start, a command and the doctor, and not repeated', async () => {
  const databaseUrl = change({ password: 'segredo' })
  const ended = await Promise.all([
    run('main.ts', databaseUrl),
    run('cli.ts', databaseUrl, 'company', 'list'),
    run('cli.ts', databaseUrl, 'doctor'),
  ])

  const [service, command, doctor] = ended
  for (const { stderr } of [service, command]) expect(stderr).toMatch(SENTENCE)
  expect(doctor.stdout).toMatch(/^fail {2}database: [^\n]+ — [^\n]+$/m)
  for (const { status, stdout, stderr } of ended) {
    expect(status).toBe(1)
    expect(stdout + stderr).toContain('check the user and the password in DATABASE_URL')
    expect(stdout + stderr).not.toContain('segredo')
  }
})

const READ_ONLY_SENTENCE =
  /^The database cannot be used \(cannot execute .* in a read-only transaction\): .*\.$/m

test('a start waits for a read-only database to become the primary, and says so in a sentence', async () => {
  const databaseUrl = change({ search: '?options=-c%20default_transaction_read_only%3Don' })
  const readFirstLine = async () => {
    const env = { PATH: process.env.PATH, PORT: '0', DATABASE_URL: databaseUrl, SECRET_KEY }
    const service = reapAtExit(
      spawn(process.execPath, [join(SRC, 'main.ts')], {
        env: { ...PROGRAM_ENV, ...env, LOG_LEVEL: 'warn' },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
    const [line] = await once(createInterface(service.stdout), 'line')
    service.kill('SIGTERM')
    return JSON.parse(line)
  }

  const lines = [await readFirstLine()]
  const command = await run('cli.ts', databaseUrl, 'company', 'list')
  await run('cli.ts', url, 'migrate')
  lines.push(await readFirstLine())

  for (const line of lines) {
    expect(line).toMatchObject({ msg: 'waiting for the database' })
    expect(line.reason).toMatch(READ_ONLY_SENTENCE)
  }
  expect(command).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(READ_ONLY_SENTENCE),
  })
})
