// What an operator does to people and keys by the command line, and where the company reads of it.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { issueApiKey, rollApiKey } from '../../src/api/api-key.ts'
import { listAudit } from '../../src/companies/audit.ts'
import { ROLES } from '../../src/database/enums.ts'
import { createSession, findSession } from '../../src/users/session.ts'
import { findUserByEmail, verifyUserPassword } from '../../src/users/user.ts'
import { openTestApp } from '../support/test-app.ts'

const CLI = join(import.meta.dirname, '../../src/cli.ts')
const OPERATOR = 'Operador (linha de comando)'
const NOW = new Date()

const { db, url, secretKey, newCompany } = await openTestApp()
const run = promisify(execFile)

async function cli(line: string, ...more: string[]) {
  const env = { DATABASE_URL: url, SECRET_KEY: secretKey }
  const { stdout } = await run(process.execPath, [CLI, ...line.split(' '), ...more], { env })
  return stdout
}

test('a password that the operator resets signs its person out, and the company reads of it', async () => {
  const { id: companyId } = await newCompany()
  const email = 'eva@livraria.com.br'
  const made = JSON.parse(await cli(`user create --json --email ${email} --company`, companyId))
  const session = { userId: made.id, address: '::1', userAgent: '', now: NOW }
  const { token } = await createSession(db, session)

  const { password } = JSON.parse(await cli('user reset-password --json --email', email))

  expect(await verifyUserPassword(db, made.id, password)).toBe(true)
  expect(await findSession(db, token, NOW)).toBeUndefined()
  const by = { actor: OPERATOR, userId: null, subjectId: made.id, subject: email }
  expect(await listAudit(db, companyId, { limit: 10 })).toMatchObject([
    { ...by, action: 'password_reset' },
    { ...by, action: 'user_joined' },
  ])
})

test.each(ROLES)('the operator makes somebody %s', async (role) => {
  const { id: companyId } = await newCompany()
  const email = `${role}@papeis.com.br`

  const made = await cli(`user create --json --role ${role} --email ${email} --company`, companyId)

  expect(JSON.parse(made)).toMatchObject({ email, role })
  expect(await findUserByEmail(db, email)).toMatchObject({ role })
})

test('keys that the operator makes and revokes are in the company’s log', async () => {
  const { id: companyId } = await newCompany()

  const { id } = JSON.parse(await cli('key create --json --name Loja --company', companyId))
  await cli('key revoke', id)

  const by = { actor: OPERATOR, subjectId: id, subject: 'Loja' }
  expect(await listAudit(db, companyId, { limit: 10 })).toMatchObject([
    { ...by, action: 'key_revoked' },
    { ...by, action: 'key_created' },
  ])
})

test('a list of keys tells until when a rolled one works', async () => {
  const { id: companyId } = await newCompany()
  const [soon, over] = [new Date(NOW.getTime() + 3_600_000), new Date(NOW.getTime() - 1)]
  for (const until of [soon, over]) {
    const { id } = await issueApiKey(db, companyId, 'Trocada')
    await rollApiKey(db, { companyId, id, until, now: NOW })
  }

  const listed = await cli('key list --company', companyId)

  expect(listed).toContain(`never used, works until ${soon.toISOString()}`)
  expect(listed).toContain(`replaced ${over.toISOString()}`)
})
