// The receivers of the docs page, as they stand there: each accepts what we sign and nothing else.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../src/database/embedded/cluster.ts'
import { newWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts'

const SAMPLES = join(import.meta.dirname, '../../views/docs/samples')
const BODY = JSON.stringify({ type: 'transaction.approved', data: { título: 'Pão de açúcar' } })
const STARTS_WITHIN_MS = 60_000

type Language = { program: string; file: string; args?: (file: string, port: number) => string[] }

const LANGUAGES: Record<string, Language> = {
  Node: { program: process.execPath, file: 'node-manual.js' },
  Python: { program: 'python3', file: 'python-manual.py' },
  PHP: {
    program: 'php',
    file: 'php-manual.php',
    args: (file, port) => ['-S', `127.0.0.1:${port}`, file],
  },
  Ruby: { program: 'ruby', file: 'ruby-manual.rb' },
  Go: { program: 'go', file: 'go-manual.go', args: (file) => ['run', file] },
  Java: { program: 'java', file: 'java-manual.java' },
}

async function start({ program, file, args = (path) => [path] }: Language, secret: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-sample-'))
  const copy = join(folder, program === process.execPath ? 'webhook.mjs' : file)
  cpSync(join(SAMPLES, file), copy)
  const port = await findFreePort()
  const child = spawn(program, args(copy, port), {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
    // `go run` starts another process: both end with their group.
    detached: true,
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
  }
  onTestFinished(async () => {
    if (child.exitCode === null) {
      process.kill(-child.pid!)
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}/hook`
  const deadline = Date.now() + STARTS_WITHIN_MS
  while (!(await fetch(url, { method: 'POST' }).catch(() => undefined))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(lines.join(''))
    await sleep(50)
  }
  return { url, lines }
}

const isHere = ([, { program }]: [string, Language]) =>
  spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0
const here = Object.entries(LANGUAGES).filter(isHere)

test.each(here)('the receiver in %s knows our signature', async (_name, language) => {
  const [secret, old] = [newWebhookSecret(), newWebhookSecret()]
  const { url, lines } = await start(language, secret)
  const post = async (headers: object, body = BODY) => {
    const sent = { 'content-type': 'application/json', ...headers }
    return (await fetch(url, { method: 'POST', headers: sent, body })).status
  }
  const now = new Date()
  const genuine = signWebhook([secret], 'evt_1', now, BODY)

  expect(await post(genuine)).toBe(204)
  expect(await post(signWebhook([old, secret], 'evt_2', now, BODY))).toBe(204)
  expect(await post(signWebhook([old], 'evt_3', now, BODY))).toBe(400)
  expect(await post(genuine, BODY.replace('approved', 'refunded'))).toBe(400)
  expect(await post({ ...genuine, 'webhook-id': 'evt_4' })).toBe(400)
  expect(await post(signWebhook([secret], 'evt_5', new Date(now.getTime() - 301_000), BODY))).toBe(
    400,
  )
  expect(await post({})).toBe(400)
  expect(await post(genuine)).toBe(204)
  await expect.poll(() => lines.join('').match(/transaction\.approved/g)).not.toBeNull()
})
