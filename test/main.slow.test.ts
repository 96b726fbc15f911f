// Starts: what they leave for later, and those that fail: at once, with an exit status that says so, and with one
// sentence.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { reservePort } from './support/port.ts'
import { openDatabase } from './support/postgres/database.ts'
import { makeFolder, reapAtExit } from './support/processes/reaper.ts'
import { linkRepository, REPOSITORY } from './support/processes/repository-copy.ts'

const { url: DATABASE_URL } = await openDatabase()
/** What was compiled is kept as long as the checkouts that it was compiled of. */
const ENV = { PATH: process.env.PATH, NODE_COMPILE_CACHE: makeFolder('compiled') }
const newKey = () => randomBytes(32).toString('base64')

function run(env: Record<string, string>, checkout = REPOSITORY) {
  const child = reapAtExit(
    spawn(process.execPath, [join(checkout, 'src/main.ts')], {
      env: { ...ENV, PORT: '0', LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  return { child, end: ended.then(([[status], stdout, stderr]) => ({ status, stdout, stderr })) }
}

async function runCommand(checkout: string, ...words: string[]) {
  const child = reapAtExit(
    spawn(process.execPath, [join(checkout, 'src/cli.ts'), ...words], {
      env: ENV,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { stdout, stderr }
}

test('an embedded database is not started with a key that is not its own', async () => {
  const checkout = linkRepository()
  const first = run({}, checkout)
  await once(first.child.stdout, 'data')
  first.child.kill('SIGTERM')
  const { status } = await first.end

  const wrong = []
  for (let i = 0; i < 3; i++) wrong.push(await run({ SECRET_KEY: newKey() }, checkout).end)

  expect(status).toBe(0)
  for (const failed of wrong) {
    expect(failed.status).toBe(1)
    expect(failed.stdout).not.toContain('ready')
    expect(failed.stderr).toMatch(/^SECRET_KEY is not the key [^\n]*\.\n$/)
  }
})

test('a first start without room for its output goes on, and its first person can be made', async () => {
  const [checkout, port] = [linkRepository(), `${await reservePort()}`]
  const at = { cwd: checkout, env: { ...ENV, PORT: port } }
  const service = reapAtExit(
    spawn(process.execPath, ['src/main.ts'], {
      ...at,
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    }),
  )
  const ended = Promise.all([once(service, 'exit'), text(service.stderr!)])
  const isReady = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok)
  await expect.poll(() => isReady().catch(() => false), { timeout: 30_000 }).toBe(true)

  const person = ['--company=Minha empresa', '--email=ana@exemplo.com.br']
  const made = spawnSync(process.execPath, ['src/cli.ts', 'user', 'create', ...person], at)
  service.kill('SIGTERM')
  const [[status], complaints] = await ended

  expect(made.stdout.toString()).toContain('The owner ana@exemplo.com.br is created.')
  expect(status).toBe(0)
  expect(complaints).toMatch(/^The log cannot be written \(ENOSPC/)
})

test('a first start and a command that does not wait for it share the database that one of them makes', async () => {
  const [checkout, port] = [linkRepository(), `${await reservePort()}`]
  const service = run({ PORT: port }, checkout)
  const isReady = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok)

  const made = await runCommand(checkout, 'company', 'create', '--name', 'Sol')
  await expect.poll(() => isReady().catch(() => false), { timeout: 30_000 }).toBe(true)
  const listed = await runCommand(checkout, 'company', 'list')
  service.child.kill('SIGTERM')

  expect(made.stderr).toBe('')
  expect(listed.stdout).toContain('Sol')
  expect(await service.end).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(join(checkout, '.data')).sort()).toEqual([
    'postgres',
    'postgres-password',
    'postgres.log',
    'secret-key',
  ])
})

test.each(['start', 'cli'])('npm run %s reads the file .env of its folder', (script) => {
  const checkout = linkRepository()
  writeFileSync(join(checkout, '.env'), 'LOG_LEVEL=alto\n')

  const { status, stderr } = spawnSync('npm', ['run', '-s', script, '--', 'company', 'list'], {
    ...{ cwd: checkout, env: ENV, encoding: 'utf8' },
  })

  expect(stderr).toMatch(/^Wrong configuration: LOG_LEVEL must be one of [^\n]*\.\n$/)
  expect(status).toBe(1)
})

test('a port that is taken is named', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const env = { DATABASE_URL, SECRET_KEY: newKey(), HOST: '127.0.0.1' }

  const { status, stdout, stderr } = await run({ ...env, PORT: `${port}` }).end

  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(
    new RegExp(`^The service cannot listen at port ${port} \\(.*\\): .* another PORT\\.\n$`),
  )
})

test.each(['192.0.2.1', 'nenhum.invalid'])(
  '%s, which is none of this machine, is named',
  async (HOST) => {
    const env = { DATABASE_URL, SECRET_KEY: newKey(), HOST }

    const { status, stdout, stderr } = await run(env).end

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /^The service cannot listen .*: HOST must be an address of this machine\.\n$/,
    )
  },
)
