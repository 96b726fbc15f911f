// Where a command's output goes, what is said when it can't go there, and the status that it ends with.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CLI, PROGRAM_ENV, runProgram } from '../support/processes/program.ts'
import { openTestApp } from '../support/test-app.ts'

const { url, secretKey, newCompany } = await openTestApp()
const ABSENT = '0199f3c1-5d2e-7c3a-9b41-2f6f0c1d8e7a'
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

const cli = (line: string) => runProgram(line.split(' '), { env })

test('wrong use is told from refusal by its exit status, and says where it is explained', async () => {
  const [wrong, mistyped, refused, explained, helped] = await Promise.all([
    cli(`key create --company ${ABSENT}`),
    cli('key crate --name Loja'),
    cli('key create --json --name Loja --company Inexistente'),
    cli('key create --help'),
    cli('help key create'),
  ])

  expect(wrong).toMatchObject({ status: 2, stdout: '' })
  expect(wrong.stderr).toBe("required option '--name <NAME>' not specified\n(see --help)\n")
  expect(mistyped).toMatchObject({ status: 2, stdout: '' })
  expect(mistyped.stderr).toContain('Did you mean create?')
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(JSON.parse(refused.stderr)).toEqual({
    error: 'There is no company "Inexistente": see company list.',
  })
  expect(explained).toMatchObject({ status: 0, stderr: '' })
  expect(helped).toEqual(explained)
  expect(explained.stdout).toMatch(/^Usage: npm run -s cli -- key create \[options\]\n/)
  expect(explained.stdout).toMatch(
    /--company <ID\|NAME> \(required\) [\s\S]*--name <NAME> \(required\)/,
  )
})
