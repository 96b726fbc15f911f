// What the doctor says on both sides of each bound, and of a database that can't be written.
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../../src/commands/doctor/finding.ts'
import {
  checkRole,
  checkWriting,
  classifyClock,
  classifyVersion,
} from '../../../src/commands/doctor/postgres.ts'
import { classifyCertificates } from '../../../src/commands/doctor/secrets.ts'
import { connectDatabase } from '../../../src/database/connect.ts'
import { newId } from '../../../src/database/id.ts'
import { installation } from '../../../src/database/tables.ts'
import { openDatabase } from '../../support/postgres/database.ts'
import { runStatement } from '../../support/postgres/statement.ts'

const { db, url } = await openDatabase()

const NOW = new Date('2026-06-01T00:00:00.000Z')
const DAY_MS = 86_400_000
const until = (ms: number) => [
  { companyId: newId(), provider: 'pix-api' as const, until: new Date(NOW.getTime() + ms) },
]
const version = (major: number, encoding = 'UTF8') => ({ major, text: `${major}.1`, encoding })

test.each<[string, Finding, Finding['status']]>([
  ['Postgres 14', classifyVersion(version(14)), 'fail'],
  ['Postgres 15', classifyVersion(version(15)), 'ok'],
  ['a Postgres of days to come', classifyVersion(version(25)), 'ok'],
  ['another encoding', classifyVersion(version(18, 'LATIN1')), 'fail'],
  ['2 seconds between the clocks', classifyClock(2_000), 'ok'],
  ['a little more', classifyClock(-2_001), 'warn'],
  ['30 seconds', classifyClock(-30_000), 'warn'],
  ['a little more than that', classifyClock(30_001), 'fail'],
  ['no certificate', classifyCertificates([], NOW), 'ok'],
  ['one for more than 30 days', classifyCertificates(until(30 * DAY_MS + 1), NOW), 'ok'],
  ['one for 30 days', classifyCertificates(until(30 * DAY_MS), NOW), 'warn'],
  ['one for a moment', classifyCertificates(until(1), NOW), 'warn'],
  ['one that has ended', classifyCertificates(until(0), NOW), 'fail'],
])('%s', (_what, { status, what, advice }, expected) => {
  expect(status).toBe(expected)
  expect(what).toMatch(/^[a-z -]+: /)
  expect(advice !== undefined).toBe(expected !== 'ok')
})

test('a certificate that has ended hides none that is about to', () => {
  const certificates = [-9 * DAY_MS, 20 * DAY_MS, 60 * DAY_MS].flatMap(until)
  const [ended, soon] = certificates.map(({ companyId }) => companyId)

  expect(classifyCertificates(certificates, NOW)).toMatchObject({
    status: 'fail',
    what: `certificates: 2 of 3 expire within 30 days or have expired (${ended} on 2026-05-23, ${soon} on 2026-06-21); with an expired one payments fail`,
  })
})

async function checkWith(setting: string, check: typeof checkWriting) {
  const options = new URLSearchParams({ options: `-c ${setting}` })
  const other = connectDatabase(Object.assign(new URL(url), { search: `?${options}` }).href)
  const finding = await check(other)
  await other.$client.end()
  return finding
}

test('a database that can be written is left as it was', async () => {
  const before = await db.$count(installation)

  expect(await checkWriting(db)).toEqual({
    status: 'ok',
    what: 'writing: the database can be written',
  })
  expect(await db.$count(installation)).toBe(before)
})

test('one with read-only transactions, or that our role may only read, is broken', async () => {
  const role = `vintem_${randomBytes(6).toString('hex')}`
  await runStatement(url, `create role ${role}`)
  onTestFinished(async () => {
    await runStatement(url, `drop owned by ${role}; drop role ${role}`)
  })
  await runStatement(url, `grant usage on schema public to ${role}`)

  const readOnly = await checkWith('default_transaction_read_only=on', checkWriting)
  const reader = await checkWith(`role=${role}`, checkWriting)
  const rights = await checkWith(`role=${role}`, checkRole)

  expect(readOnly).toMatchObject({
    status: 'fail',
    what: expect.stringContaining('read-only transaction'),
    advice: expect.stringContaining('default_transaction_read_only'),
  })
  for (const finding of [reader, rights]) {
    expect(finding.status).toBe('fail')
    expect(finding.advice).toContain('owns its database')
  }
})
