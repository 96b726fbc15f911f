// Each program here is a process of its own that ends by itself.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const OPEN_LOG = `
  const { createLogger } = await import('./src/http/log.ts')
  const { openLogOutput } = await import('./src/log-output.ts')
  const log = createLogger('info', openLogOutput())
`

/** The messages that a program leaves behind, and how it ended. */
function runProgram(code: string) {
  const args = ['--input-type=module', '--eval', OPEN_LOG + code]
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const messages = stdout.split('\n').filter(Boolean)
  return { messages: messages.map((line) => JSON.parse(line).msg), stderr, ended: signal ?? status }
}

test('a program that ends, however it does by itself, leaves every line behind, in order', () => {
  const many = Array.from({ length: 500 }, (_, i) => String(i))
  const write = 'for (let i = 0; i < 500; i++) log.info(String(i));'

  const ended = runProgram(write)
  const exited = runProgram(`${write} process.exit(1)`)
  const failed = runProgram(`${write} setTimeout(() => { throw new Error('unforeseen') })`)

  expect(ended).toMatchObject({ messages: many, ended: 0, stderr: '' })
  expect(exited).toMatchObject({ messages: many, ended: 1 })
  expect(failed).toMatchObject({ messages: many, ended: 1 })
  expect(failed.stderr).toContain('unforeseen')
})

test('a program that is killed leaves its errors behind and what was logged before them', () => {
  const die = "process.kill(process.pid, 'SIGKILL')"

  const failed = runProgram(`log.info('before'); log.error('broken'); log.info('after'); ${die}`)

  expect(failed).toMatchObject({ messages: ['before', 'broken'], ended: 'SIGKILL' })
})

test('info waits for a moment and no longer', () => {
  const die = "process.kill(process.pid, 'SIGKILL')"

  const soon = runProgram(
    `log.info('first'); setTimeout(() => { log.info('second'); ${die} }, 250)`,
  )

  expect(soon).toMatchObject({ messages: ['first'], ended: 'SIGKILL' })
})

test('a program whose reader has left ends all the same', () => {
  const code = `${OPEN_LOG} setTimeout(() => { log.error('unread'); log.info('unread'); process.exit(3) }, 200)`
  const { status } = spawnSync(
    'bash',
    ['-c', '"$0" --input-type=module --eval "$1" | true; exit $PIPESTATUS', process.execPath, code],
    { timeout: 10_000 },
  )

  expect(status).toBe(3)
})
