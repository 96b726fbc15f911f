// Credentials are for tests or for real money, and each environment takes its own.
import { expect, test } from 'vitest'
import { providerAccountTexts } from '../../../src/providers/texts.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import {
  buildBankForm,
  openProviderDashboard,
  submitBankAccount,
} from '../../support/dashboard/providers.ts'
import { openFakeBank } from '../../support/providers/fake-bank.ts'
import { openTestApp } from '../../support/test-app.ts'

const { openClient, openRealClient, accountOf } = openProviderDashboard(
  await openTestApp({ local: true }),
)
const bank = await openFakeBank()

test('credentials of tests are refused in the real environment, and real ones in that of tests', async () => {
  const [inTest, inReal] = [await openClient(), await openRealClient()]
  const { testAccount: ofTests, realAccount: ofReal } = providerAccountTexts
  const form = (test: string) => ({ ...buildBankForm(bank.url), test })

  const refused = [
    await submitBankAccount(inTest.dashboardClient, form('producao')),
    await submitBankAccount(inReal.dashboardClient, form('homologacao')),
  ]

  expect(refused.map(({ statusCode }) => statusCode)).toEqual([422, 422])
  expect(refused.map(({ body }) => readFormErrors(body)[0]![1])).toEqual([ofReal, ofTests])
  for (const { company } of [inTest, inReal]) {
    expect(await accountOf(company, 'pix-api')).toBeUndefined()
  }
})
