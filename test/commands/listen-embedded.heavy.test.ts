// `listen` beside a service whose embedded Postgres has another port at every start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { reservePort } from '../support/port.ts'
import { reapAtExit } from '../support/processes/reaper.ts'
import { linkRepository } from '../support/processes/repository-copy.ts'
import { answerWith, openReceiver } from '../support/receiver.ts'

const UNTIL = { timeout: 20_000 }

const checkout = linkRepository()
const env = { PATH: process.env.PATH, PORT: String(await reservePort()), LOG_LEVEL: 'warn' }

function startProgram(file: string, words: string[] = []) {
  const args = [join(checkout, 'src', file), ...words]
  const child = reapAtExit(
    spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  onTestFinished(end)
  return { child, end }
}

async function startService() {
  const { end } = startProgram('main.ts')
  const isReady = () => fetch(`http://localhost:${env.PORT}/readyz`).then(({ ok }) => ok)
  await expect.poll(() => isReady().catch(() => false), UNTIL).toBe(true)
  return { end }
}

async function runCommand(...words: string[]) {
  return JSON.parse(await text(startProgram('cli.ts', [...words, '--json']).child.stdout))
}

test('events are forwarded on after the service was restarted', async () => {
  const receiver = await openReceiver(answerWith(200))
  const first = await startService()
  const { id } = await runCommand('company', 'create', '--name', 'Padaria')
  const words = ['listen', '--company', id, '--url', receiver.url, '--json']
  const lines: string[] = []
  createInterface(startProgram('cli.ts', words).child.stdout).on('line', (line) => lines.push(line))
  await expect.poll(() => lines.length, UNTIL).toBe(1)

  await first.end()
  await expect.poll(() => lines[1], UNTIL).toContain('"waiting"')
  await startService()
  const made = await runCommand('trigger', 'transaction.approved', '--company', id)

  await expect.poll(() => lines[2], UNTIL).toContain(made.id)
  expect(receiver.hits).toHaveLength(1)
})
