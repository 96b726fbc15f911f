// The demonstration: a company in test mode with a year that hangs together.

import { beforeAll, expect, test } from 'vitest'
import { seedDemo } from '../../src/commands/demo/seed.ts'
import { findCompanyPair } from '../../src/companies/company.ts'
import { eq, sql } from '../../src/database/drizzle.ts'
import { companies, transactions, users } from '../../src/database/tables.ts'
import { buildReport } from '../../src/reports/reports.ts'
import { loadSummary } from '../../src/reports/summary.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import { verifyPassword } from '../../src/users/password.ts'
import { runProgram } from '../support/processes/program.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, needs, url } = testApp

const NOW = new Date()
const DAY_MS = 86_400_000
const WHO = { name: 'Demo', owner: 'dona@solemar.example', member: 'socio@solemar.example' }

type Demo = Awaited<ReturnType<typeof seedDemo>>
let demo: Demo

beforeAll(async () => {
  demo = await seedDemo({ ...needs, now: NOW }, WHO)
}, 120_000)

async function rowsOf({ company }: Demo) {
  return db.select().from(transactions).where(eq(transactions.companyId, company.id))
}

async function countBy(column: 'status' | 'method' | 'decline_code' | 'installments') {
  const { rows } = await db.execute<{ key: string; count: number }>(sql`
    select ${sql.raw(column)}::text as key, count(*)::int as count from transactions
    where company_id = ${demo.company.id} group by 1`)
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]))
}

test('everything that can become of a payment is in it', async () => {
  const statuses = await countBy('status')
  const declines = await countBy('decline_code')
  const methods = await countBy('method')

  expect(Object.keys(statuses).toSorted()).toEqual([
    'approved',
    'charged_back',
    'declined',
    'expired',
    'partially_refunded',
    'pending',
    'refunded',
  ])
  expect(statuses.approved).toBeGreaterThan(200)
  expect(Object.keys(declines).length).toBeGreaterThan(4)
  expect(Object.keys(await countBy('installments')).length).toBeGreaterThan(3)
  expect(methods.pix).toBeGreaterThan(methods.credit_card!)
  const rows = await rowsOf(demo)
  expect(rows.length).toBeGreaterThan(270)
  expect(rows.every(({ testMode, provider }) => testMode && provider === 'sandbox')).toBe(true)
  expect(rows.filter(({ holdReason }) => holdReason)).toHaveLength(1)
  expect(rows.filter(({ paidLate }) => paidLate)).toHaveLength(1)
})

test('the start page, the reports and the histories agree with one another', async () => {
  const { id } = demo.company
  const { last30, approval, days, heldCount, failedDeliveries } = await loadSummary(db, id, NOW)
  const from = new Date(NOW.getTime() - 363 * DAY_MS).toISOString().slice(0, 10)
  const range = {
    from,
    to: new Date(NOW.getTime() + 2 * DAY_MS).toISOString().slice(0, 10),
  }
  const byLink = await buildReport(db, id, 'link', range)
  const byMonth = await buildReport(db, id, 'month', range)

  expect(byLink.total).toEqual(byMonth.total)
  expect(byLink.total.count).toBe((await rowsOf(demo)).filter((row) => row.approvedAt).length)
  expect(days.reduce((sum, day) => sum + day.afterRefundsCents, 0)).toBe(last30.afterRefundsCents)
  expect(last30.count).toBeGreaterThan(last30.previous.count)
  expect(approval.rate).toBeGreaterThan(0.7)
  expect(approval.rate).toBeLessThan(0.95)
  expect(heldCount).toBe(1)
  expect(failedDeliveries).toBeGreaterThan(0)
})

test('nothing of it is left to be asked but the code that is shown right now', async () => {
  const before = await rowsOf(demo)

  await reconcileDuePayments({ ...needs, now: () => NOW })

  const pending = before.filter(({ status, holdReason }) => status === 'pending' && !holdReason)
  expect(pending).toHaveLength(1)
  expect(pending[0]!.expiresAt! > NOW.toISOString()).toBe(true)
  expect((await rowsOf(demo)).map(({ status }) => status).toSorted()).toEqual(
    before.map(({ status }) => status).toSorted(),
  )
})

test('by the CLI it comes once, and beside real payments only when asked', async () => {
  const env = { DATABASE_URL: url, SECRET_KEY: testApp.secretKey }
  const demoBy = (...args: string[]) => runProgram(['demo', ...args], { env })
  const { realId } = await testApp.newCompany('Real')
  await db.update(companies).set({ pixProvider: 'pix-api' }).where(eq(companies.id, realId))

  const refused = await demoBy()
  const made = JSON.parse((await demoBy('--force', '--json')).stdout)
  const again = await demoBy('--force')

  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('takes live payments'),
  })
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('already') })
  const [owner] = await db.select().from(users).where(eq(users.email, made.owner.email))
  const pair = await findCompanyPair(db, made.company.id)
  expect(made.company.name).toBe('Padaria Sol & Mar')
  expect(owner).toMatchObject({ role: 'owner', companyId: pair!.real.id })
  expect(await verifyPassword(made.owner.password, owner!.passwordHash)).toBe(true)
}, 120_000)
