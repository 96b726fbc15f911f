// What the doctor sees coming, and of Postgres itself: both sides of each bound, and that each of its statements finds what there is.
import { expect, test } from 'vitest'
import type { Finding } from '../../../src/commands/doctor/finding.ts'
import { judgeClock, judgeVersion } from '../../../src/commands/doctor/postgres.ts'
import {
  judgeBacklog,
  judgeCertificates,
  judgeEndpoints,
  listWorkloadChecks,
} from '../../../src/commands/doctor/workload.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { webhookDeliveries, webhookEndpoints } from '../../../src/database/tables.ts'
import { createEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { MINIMAL_LINK, openTestApp } from '../../support/test-app.ts'

const { db, cipher, newCompany } = await openTestApp()

const NOW = new Date('2026-06-01T00:00:00.000Z')
const DAY_MS = 86_400_000
const until = (ms: number) => [{ companyId: newId(), until: new Date(NOW.getTime() + ms) }]
const version = (major: number, more = {}) => ({
  major,
  text: `${major}.1`,
  standby: false,
  encoding: 'UTF8',
  ...more,
})
const backlog = (more: object) => ({
  ...{ deliveriesDue: 0, deliveriesOldestDueSeconds: 0, mailsDue: 0, mailsOldestDueSeconds: 0 },
  ...{ deliveriesWaitingForUsSeconds: 0 },
  ...{ checksDue: 0, checksOldestDueSeconds: 0, oldestProcessingSeconds: 0, databaseSizeBytes: 1 },
  ...more,
})
const endpoints = (more: object) => ({ enabled: 3, failing: 0, gone: 0, names: null, ...more })

test.each<[string, Finding, Finding['status']]>([
  ['Postgres 14', judgeVersion(version(14)), 'fail'],
  ['Postgres 15', judgeVersion(version(15)), 'ok'],
  ['a Postgres of days to come', judgeVersion(version(25)), 'ok'],
  ['another encoding', judgeVersion(version(18, { encoding: 'LATIN1' })), 'fail'],
  ['a standby', judgeVersion(version(18, { standby: true })), 'fail'],
  ['2 seconds between the clocks', judgeClock(2_000), 'ok'],
  ['a little more', judgeClock(-2_001), 'warn'],
  ['30 seconds', judgeClock(-30_000), 'warn'],
  ['a little more than that', judgeClock(30_001), 'fail'],
  ['what is due for 5 minutes', judgeBacklog(backlog({ mailsOldestDueSeconds: 300 })), 'ok'],
  ['a webhook for longer', judgeBacklog(backlog({ deliveriesOldestDueSeconds: 301 })), 'warn'],
  ['an e-mail for longer', judgeBacklog(backlog({ mailsOldestDueSeconds: 301 })), 'warn'],
  ['a check for longer', judgeBacklog(backlog({ checksOldestDueSeconds: 301 })), 'warn'],
  ['endpoints that take what they are sent', judgeEndpoints(endpoints({})), 'ok'],
  ['one that takes nothing', judgeEndpoints(endpoints({ failing: 1 })), 'warn'],
  ['one that said it is gone', judgeEndpoints(endpoints({ gone: 1 })), 'warn'],
  ['no certificate', judgeCertificates([], NOW), 'ok'],
  ['one for more than 30 days', judgeCertificates(until(30 * DAY_MS + 1), NOW), 'ok'],
  ['one for 30 days', judgeCertificates(until(30 * DAY_MS), NOW), 'warn'],
  ['one for a moment', judgeCertificates(until(1), NOW), 'warn'],
  ['one that has ended', judgeCertificates(until(0), NOW), 'fail'],
])('%s', (_what, { status, what, advice }, expected) => {
  expect(status).toBe(expected)
  expect(what).toMatch(/^[a-z -]+: /)
  expect(advice !== undefined).toBe(expected !== 'ok')
})

test('a certificate that has ended hides none that is about to', () => {
  const certificates = [-9 * DAY_MS, 20 * DAY_MS, 60 * DAY_MS].flatMap(until)
  const [ended, soon] = certificates.map(({ companyId }) => companyId)

  expect(judgeCertificates(certificates, NOW)).toMatchObject({
    status: 'fail',
    what: `certificates: of 3, 2 end within 30 days or have ended (${ended} on 2026-05-23, ${soon} on 2026-06-21); one that has ended takes no payment any more`,
  })
})

async function lookAt(about: string) {
  const all = listWorkloadChecks({ cipher, now: new Date() })
  return all.find((check) => check.about === about)!.run(db)
}

test('a database that was just made has nothing coming', async () => {
  const company = await newCompany()
  const { id } = (await company.post('/api/payment-links', MINIMAL_LINK)).json()
  await company.post(`/api/payment-links/${id}/simulate-payment`, {})
  expect(await lookAt('waiting')).toMatchObject({ status: 'ok' })
  expect(await lookAt('certificates')).toMatchObject({ status: 'ok' })
})

test('endpoints that fail, and that said they are gone, are named', async () => {
  const company = await newCompany()
  const { id: linkId } = (await company.post('/api/payment-links', MINIMAL_LINK)).json()
  const made = []
  for (let i = 0; i < 4; i++) {
    const url = `https://loja.example/${i}`
    made.push((await createEndpoint(db, cipher, { companyId: company.id, url })).id)
  }
  const [well, failing, gone, off] = made
  await company.post(`/api/payment-links/${linkId}/simulate-payment`, {})
  await db.update(webhookDeliveries).set({
    outcome: sql`case endpoint_id when ${well} then 'delivered' when ${gone} then 'gone' else 'timeout' end`,
  })
  await db
    .update(webhookEndpoints)
    .set({ disabledAt: new Date().toISOString() })
    .where(sql`id in (${gone}, ${off})`)

  const found = await lookAt('webhook endpoints')

  expect(found.status).toBe('warn')
  expect(found.what).toBe(
    `webhook endpoints: 2 enabled; taking nothing any more: 1; disabled by an answer of 410 in the last 30 days: 1 (${failing}, ${gone})`,
  )
})
