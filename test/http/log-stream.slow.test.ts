// Each program here is a process of its own that ends by itself.
import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { expect, test } from 'vitest'

const OPEN_LOG = `
  const { createLogger, openLogStream } = await import('./src/http/log.ts')
  const log = createLogger('info', openLogStream())
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

test('a program that is killed leaves behind what was logged before', () => {
  const die = "process.kill(process.pid, 'SIGKILL')"

  const failed = runProgram(`log.info('before'); log.error('broken'); log.info('after'); ${die}`)

  expect(failed).toMatchObject({ messages: ['before', 'broken', 'after'], ended: 'SIGKILL' })
})

test('a program ends all the same when its reader has left', () => {
  const code = `${OPEN_LOG} setTimeout(() => { log.error('unread'); log.info('unread'); process.exit(3) }, 200)`
  const { status } = spawnSync(
    'bash',
    ['-c', '"$0" --input-type=module --eval "$1" | true; exit $PIPESTATUS', process.execPath, code],
    { timeout: 10_000 },
  )

  expect(status).toBe(3)
})

test('a program goes on when its log has no room left, and says so where it can', () => {
  const code = `${OPEN_LOG} log.error('unwritten'); setTimeout(() => { log.error('unwritten too'); process.exit(3) }, 200)`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  })

  expect(status).toBe(3)
  expect(stderr).toMatch(/^The log cannot be written \(ENOSPC[^\n]*\n$/)
})

test('once there is room again what waited is written', () => {
  const full = `
    const { default: fs } = await import('node:fs')
    const { writeSync } = fs
    fs.writeSync = (fd, ...text) => {
      if (fd === 1) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      return writeSync(fd, ...text)
    }
    log.error('kept')
    for (let i = 0; i < 100; i++) log.error('x'.repeat(20_000))
    fs.writeSync = writeSync
    log.error('after')`

  const { messages, ended } = runProgram(full)

  expect(ended).toBe(0)
  expect(messages[0]).toBe('kept')
  expect(messages).toContain('after')
})
