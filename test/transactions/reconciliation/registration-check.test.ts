// Whom banks tell: looked at once a day, and its loss told once.
import { afterEach, expect, test } from 'vitest'
import { ROW_CHECKS } from '../../../src/commands/doctor/integrity.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { mails } from '../../../src/database/tables.ts'
import { findAccount, saveAccount } from '../../../src/providers/accounts.ts'
import { recordNotification } from '../../../src/providers/notification-log.ts'
import { registerNotifications } from '../../../src/providers/registration.ts'
import {
  checkRegistrations,
  warnOfSilence,
} from '../../../src/transactions/reconciliation/registration-check.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPageText } from '../../support/payer.ts'
import { openPayments } from '../../support/payments.ts'
import { openFakeBank, PIX_KEY } from '../../support/providers/bank/fake.ts'
import { BASE_URL, openTestApp } from '../../support/test-app.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const THEIRS = 'https://erp.example.com/pix'
const testApp = await openTestApp({ mail: true })
const { cipher, clock, db, logged, needs, newCompany } = testApp
const bank = await openFakeBank({ now: clock.now })
const { webhooks } = bank.book

afterEach(async () => {
  clock.offsetMs = 0
  bank.heal()
  webhooks.clear()
  await db.$client.query('update provider_accounts set registration = null')
})

async function registered() {
  const { id: companyId } = await newCompany()
  const key = { companyId, provider: 'pix-api', now: clock.now() } as const
  const accountNeeds = { db, cipher, log: needs.log, allowPrivate: true }
  await saveAccount(accountNeeds, { ...key, config: bank.config })
  const result = await registerNotifications(accountNeeds, { ...key, baseUrl: BASE_URL })
  const dashboardClient = await openDashboardClient(testApp, { companyId, role: 'owner' })
  return { companyId, result, dashboardClient }
}

async function registrationOf(companyId: string) {
  const { registration, registeredUrl } = (await findAccount(db, companyId, 'pix-api'))!
  return [registration, registeredUrl]
}

async function checkAfter(ms: number) {
  clock.offsetMs = ms
  return checkRegistrations(needs)
}

const mailsOf = (companyId: string) => db.select().from(mails).where(eq(mails.companyId, companyId))

test('an address that stays ours is looked at once a day, and nothing is said', async () => {
  const { companyId } = await registered()
  const asked = () => bank.calls(/^GET .webhook/).length
  const before = asked()

  await checkAfter(23 * HOUR_MS)
  expect(asked()).toBe(before)
  await checkAfter(DAY_MS + 1_000)
  await checkAfter(DAY_MS + 2 * HOUR_MS)

  expect(asked()).toBe(before + 1)
  expect(await registrationOf(companyId)).toEqual(['registered', null])
  expect(await mailsOf(companyId)).toEqual([])
})

test.each([
  ['is somebody else’s', () => webhooks.set(PIX_KEY, THEIRS), THEIRS],
  ['is gone', () => webhooks.delete(PIX_KEY), null],
])('an address that %s by now is told once, in all places', async (_what, lose, url) => {
  const { companyId, dashboardClient } = await registered()
  lose()

  await checkAfter(DAY_MS + 1_000)
  await checkAfter(2 * DAY_MS + 2_000)

  expect(await registrationOf(companyId)).toEqual(['lost', url])
  const told = await mailsOf(companyId)
  expect(told).toMatchObject([
    { template: 'notifications-lost', data: { provider: 'pix-api', url, testMode: true } },
  ])
  expect(
    logged.filter((line) => line.includes(companyId) && line.includes('no longer sends')),
  ).toHaveLength(1)
  clock.offsetMs = 0
  const [home, receivables, account] = await Promise.all(
    ['/painel', '/painel/recebimentos', '/painel/recebimentos/pix-api'].map(async (path) =>
      readPageText((await dashboardClient.get(path)).body),
    ),
  )
  expect(home).toContain('O banco deixou de avisar os pagamentos por Pix')
  for (const page of [receivables, account]) {
    expect(page).toContain(`a chave Pix agora avisa ${url ?? 'ninguém'}`)
    expect(page).toContain('encontrados por consulta')
  }
})

test('an address that is ours again is no loss any more', async () => {
  const { companyId } = await registered()
  const ours = webhooks.get(PIX_KEY)!
  webhooks.set(PIX_KEY, THEIRS)
  await checkAfter(DAY_MS + 1_000)
  webhooks.set(PIX_KEY, ours)

  await checkAfter(2 * DAY_MS + 2_000)

  expect(await registrationOf(companyId)).toEqual(['registered', null])
})

test('an address that was left to somebody else is no loss', async () => {
  webhooks.set(PIX_KEY, THEIRS)
  const { companyId, result } = await registered()
  webhooks.set(PIX_KEY, `${THEIRS}/2`)

  await checkAfter(DAY_MS + 1_000)

  expect(result).toEqual({ kind: 'kept', url: THEIRS })
  expect(await registrationOf(companyId)).toEqual(['kept', `${THEIRS}/2`])
  expect(await mailsOf(companyId)).toEqual([])
})

test('a bank that does not answer is asked again in an hour, and nothing is said', async () => {
  const { companyId } = await registered()
  webhooks.set(PIX_KEY, THEIRS)
  bank.next({ on: /^GET .webhook/, does: 'answer', status: 500 })

  await checkAfter(DAY_MS + 1_000)
  expect(await registrationOf(companyId)).toEqual(['registered', null])
  await checkAfter(DAY_MS + HOUR_MS + 2_000)

  expect(await registrationOf(companyId)).toEqual(['lost', THEIRS])
})

/** An account that notified us an hour before the first of these Pix, which were all found by asking. */
async function openSilent(minutes: number[]) {
  const { newMerchant, addPayment } = openPayments(testApp)
  const someone = await newMerchant()
  const { companyId } = someone
  const key = { companyId, provider: 'pix-api', now: clock.now() } as const
  const accountNeeds = { db, cipher, log: needs.log, allowPrivate: true }
  await saveAccount(accountNeeds, { ...key, config: bank.config })
  await openDashboardClient(testApp, { companyId, role: 'owner' })
  await recordNotification(db, key, 'good', clock.now())
  const more = { provider: 'pix-api' as const }
  for (const minute of minutes)
    await addPayment(someone, new Date(Date.now() + HOUR_MS + minute * 60_000).toISOString(), more)
  clock.offsetMs = 4 * HOUR_MS
  return { companyId, key }
}

test('a provider that tells of nothing any more is told once, until it does again', async () => {
  const { companyId, key } = await openSilent([0, 20, 40, 60, 80])
  await warnOfSilence(needs)
  await warnOfSilence(needs)

  const data = { provider: 'pix-api', testMode: true, isSilent: true }
  expect(await mailsOf(companyId)).toMatchObject([{ template: 'notifications-refused', data }])
  const rule = ROW_CHECKS.find(({ about }) => about === 'silent providers')!
  expect(await rule.run(db)).toMatchObject({ status: 'warn' })

  await recordNotification(db, key, 'good', clock.now())
  await warnOfSilence(needs)
  expect(await mailsOf(companyId)).toHaveLength(1)
  expect(await rule.run(db)).toMatchObject({ status: 'ok' })
})

test.each([
  ['four Pix', [0, 30, 60, 90]],
  ['many Pix within an hour', [0, 5, 10, 15, 20, 25]],
])('a provider is not called silent after %s', async (_what, minutes) => {
  const { companyId } = await openSilent(minutes)

  await warnOfSilence(needs)

  expect(await mailsOf(companyId)).toEqual([])
})
