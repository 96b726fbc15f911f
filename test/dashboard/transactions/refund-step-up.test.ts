// A large refund of real money asks once more who orders it, and many small ones in a day are a large one; of
// the test environment none does.
import type { LightMyRequestResponse } from 'fastify'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { REFUND_STEP_UP_CENTS } from '../../../src/dashboard/transactions/refund.ts'
import { newId } from '../../../src/database/id.ts'
import { sessions } from '../../../src/database/tables.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { type DashboardClient, openDashboardClient } from '../../support/dashboard/client.ts'
import { findLinkHref } from '../../support/dashboard/html.ts'
import { buildPaymentPath, readLastForm } from '../../support/dashboard/refunds.ts'
import { buildTestCard, openCheckout, PIX } from '../../support/payer.ts'
import { BANK_CONFIG, openAccountsAtBank } from '../../support/providers/accounts.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'
import { PASSWORD } from '../../support/users.ts'

const testApp = await openTestApp()
const { clock, db, needs, newCompany, openReal } = testApp
const { newLink, pay } = openCheckout(testApp)
const { bank, save, choose } = openAccountsAtBank(testApp)
const { readRefunds } = openRefunds(testApp)

const LIMIT = REFUND_STEP_UP_CENTS
const DAY_MS = 24 * 60 * 60_000

afterEach(() => {
  clock.offsetMs = 0
})

/** A person at the dashboard of a company that was paid three times the limit for real, who signed in long ago. */
async function openRealClient({ receivedCents = 3 * LIMIT } = {}) {
  const real = await openReal(await newCompany())
  await save(real.id, { ...BANK_CONFIG, test: false }, { steps: [{ step: 'token', ok: true }] })
  await choose(real.id)
  const link = await newLink({ amountCents: 3 * LIMIT, methods: ['pix'] }, real)
  const { row } = await pay(link, PIX)
  bank.charges.set(row.id, { paidCents: receivedCents })
  await checkPayment(needs, row)
  const dashboardClient = await openDashboardClient(testApp, { companyId: real.id })
  await db.update(sessions).set({ confirmedAt: '1970-01-01T00:00:00Z' })
  return { id: row.id, dashboardClient }
}

function refund(dashboardClient: DashboardClient, id: string, amountCents: number) {
  const order = { refundId: newId(), amountCents: String(amountCents), reason: '' }
  return dashboardClient.post(buildPaymentPath(id, '/devolver/confirmar'), order)
}

/** Follows an answer that asks for the password to the page that is shown once it was typed. */
async function stepUp(dashboardClient: DashboardClient, { headers }: LightMyRequestResponse) {
  const page = await dashboardClient.get(String(headers.location))
  const typed = { ...readLastForm(page.body), stepUp: PASSWORD }
  const confirmed = await dashboardClient.post('/painel/confirmar', typed)
  return dashboardClient.get(String(confirmed.headers.location))
}

function isAsked({ headers }: { headers: { location?: unknown } }) {
  return String(headers.location).startsWith('/painel/confirmar')
}

async function sumRefunded(id: string) {
  return (await readRefunds(id)).reduce((sum, { amountCents }) => sum + amountCents, 0)
}

test('a cent beyond the limit asks, the limit itself does not, and nothing does in the test environment', async () => {
  const { id, dashboardClient } = await openRealClient()
  const link = await newLink({ amountCents: 3 * LIMIT, methods: ['credit_card'] })
  const { row } = await pay(link, buildTestCard('ok'))
  const { companyId } = row
  const testClient = await openDashboardClient(testApp, { companyId })
  await db.update(sessions).set({ confirmedAt: '1970-01-01T00:00:00Z' })

  const answers = [
    await refund(dashboardClient, id, LIMIT + 1),
    await refund(dashboardClient, id, LIMIT),
    await refund(testClient, row.id, LIMIT + 1),
  ]

  expect(answers.map(isAsked)).toEqual([true, false, false])
  expect(await sumRefunded(row.id)).toBe(LIMIT + 1)
})

test('what is split is asked for with what takes it beyond the limit, and for a day', async () => {
  const { id, dashboardClient } = await openRealClient()

  const parts = [
    await refund(dashboardClient, id, LIMIT - 500),
    await refund(dashboardClient, id, 500),
    await refund(dashboardClient, id, 1),
  ]
  for (const hours of [10, 20]) {
    clock.offsetMs = (hours * DAY_MS) / 24
    await dashboardClient.get('/painel')
  }
  clock.offsetMs = DAY_MS - 60_000
  const late = await refund(dashboardClient, id, 1)
  clock.offsetMs = DAY_MS + 60_000
  const nextDay = await refund(dashboardClient, id, LIMIT)

  expect(parts.map(isAsked)).toEqual([false, false, true])
  expect([late, nextDay].map(isAsked)).toEqual([true, false])
  expect(await sumRefunded(id)).toBe(2 * LIMIT)
})

test('who types the password begins anew, ten minutes later', async () => {
  const { id, dashboardClient } = await openRealClient()
  await refund(dashboardClient, id, LIMIT)
  const asked = await refund(dashboardClient, id, 100)

  await dashboardClient.post('/painel/confirmar', { stepUp: PASSWORD })
  const answered = await refund(dashboardClient, id, 100)
  clock.offsetMs = 11 * 60_000
  const small = await refund(dashboardClient, id, LIMIT)
  const more = await refund(dashboardClient, id, 1)

  expect([asked, answered, small, more].map(isAsked)).toEqual([true, false, false, true])
})

test('many at once, in one millisecond even, are no way around it, and each counts once', async () => {
  const { id, dashboardClient } = await openRealClient()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())

  await Promise.all(Array.from({ length: 10 }, () => refund(dashboardClient, id, LIMIT / 4)))

  expect(await sumRefunded(id)).toBe(LIMIT)
})

test('the password is asked for before the question, and the form comes back filled in', async () => {
  const { id, dashboardClient } = await openRealClient()
  const path = buildPaymentPath(id, '/devolver')

  const asked = await dashboardClient.post(path, { amount: '1.500,00', reason: 'Veio cru' })
  const form = await stepUp(dashboardClient, asked)
  const question = await dashboardClient.post(path, readLastForm(form.body))
  const all = await dashboardClient.get(`${path}/tudo`)

  expect(isAsked(asked)).toBe(true)
  expect(readLastForm(form.body)).toMatchObject({ amount: '1.500,00', reason: 'Veio cru' })
  expect([question.statusCode, all.statusCode]).toEqual([200, 200])
  expect(question.body).toContain('R$\u00a01.500,00')
})

test('a question that is answered after the ten minutes leads back to the form, with amount and reason', async () => {
  const { id, dashboardClient } = await openRealClient()
  const path = buildPaymentPath(id, '/devolver')
  await dashboardClient.post('/painel/confirmar', { stepUp: PASSWORD })
  const question = await dashboardClient.post(path, { amount: '1.500,00', reason: 'Veio cru' })

  clock.offsetMs = 11 * 60_000
  const order = readLastForm(question.body)
  const late = await dashboardClient.post(`${path}/confirmar`, order)
  const form = await stepUp(dashboardClient, late)

  expect(isAsked(late)).toBe(true)
  expect(form.body).toContain('O que você enviou antes não foi feito')
  expect(readLastForm(form.body)).toMatchObject({ amount: '1.500,00', reason: 'Veio cru' })
  expect(await sumRefunded(id)).toBe(0)
})

test('a question is asked only with five minutes left to answer it', async () => {
  const { id, dashboardClient } = await openRealClient()
  await dashboardClient.post('/painel/confirmar', { stepUp: PASSWORD })
  const ask = () => dashboardClient.get(buildPaymentPath(id, '/devolver/tudo'))

  clock.offsetMs = 4 * 60_000
  const inTime = await ask()
  clock.offsetMs = 6 * 60_000
  const tooLate = await ask()

  expect([inTime, tooLate].map(isAsked)).toEqual([false, true])
})

test('the question about a surplus comes back as itself', async () => {
  const { id, dashboardClient } = await openRealClient({ receivedCents: 5 * LIMIT })
  const page = await dashboardClient.get(buildPaymentPath(id))
  const address = String(findLinkHref(page.body, 'Devolver R$ 2.000,00'))
  const question = await stepUp(dashboardClient, await dashboardClient.get(address))

  clock.offsetMs = 11 * 60_000
  const path = buildPaymentPath(id, '/devolver/confirmar')
  const late = await dashboardClient.post(path, readLastForm(question.body))
  const again = await stepUp(dashboardClient, late)

  expect(isAsked(late)).toBe(true)
  expect(again.body).toContain('É só o que entrou a mais')
})
