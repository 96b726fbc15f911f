// Where a command's output goes, and what is said when it can't go there.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CLI, PROGRAM_ENV } from '../support/processes/program.ts'
import { openTestApp } from '../support/test-app.ts'

const { url, secretKey, newCompany } = await openTestApp()
const env = { ...PROGRAM_ENV, DATABASE_URL: url, SECRET_KEY: secretKey }

test.each([[[]], [['--json']]])(
  'a key that could not be written for want of room is no success %j',
  async (flags) => {
    const { id } = await newCompany()
    const full = openSync('/dev/full', 'w')

    const { status, stderr } = spawnSync(
      process.execPath,
      [CLI, 'key', 'create', '--company', id, '--name', 'Loja', ...flags],
      { env, stdio: ['ignore', full, 'pipe'], encoding: 'utf8' },
    )
    closeSync(full)

    expect(status).toBe(1)
    expect(stderr).toMatch(/^[^\n]*The output could not be written \(ENOSPC[^\n]*\n$/)
    expect(stderr.startsWith('{"error":')).toBe(flags.length > 0)
  },
)

test('a reader that has read enough, such as head, ends the command quietly', () => {
  const line = `"${process.execPath}" "${CLI}" --help | true; exit \${PIPESTATUS[0]}`

  const { status, stderr } = spawnSync('bash', ['--norc', '-c', line], { env, encoding: 'utf8' })

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
