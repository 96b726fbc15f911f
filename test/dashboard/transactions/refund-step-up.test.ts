// A large refund of real money asks once more who orders it; a small one, and one of the test environment,
// does not.
import { expect, test } from 'vitest'
import { REFUND_STEP_UP_CENTS } from '../../../src/dashboard/transactions/refund.ts'
import { newId } from '../../../src/database/id.ts'
import { sessions } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { buildPaymentPath } from '../../support/dashboard/refunds.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp

const LIMIT = REFUND_STEP_UP_CENTS

test.each([
  { environment: 'real', amountCents: LIMIT + 1, statusCode: 403 },
  // There is no such payment: by then nobody was asked.
  { environment: 'real', amountCents: LIMIT, statusCode: 404 },
  { environment: 'test', amountCents: LIMIT + 1, statusCode: 404 },
])('$amountCents cents in the $environment environment', async (given) => {
  const { id, realId } = await newCompany()
  const companyId = given.environment === 'real' ? realId : id
  const dashboardClient = await openDashboardClient(testApp, { companyId })
  await db.update(sessions).set({ confirmedAt: null })
  const order = { refundId: newId(), amountCents: String(given.amountCents), reason: '' }

  const path = buildPaymentPath(newId(), '/devolver/confirmar')
  const answer = await dashboardClient.post(path, order)

  expect(answer.statusCode).toBe(given.statusCode)
})
