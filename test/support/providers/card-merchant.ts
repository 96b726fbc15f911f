// Companies with payers who pay by card through a fake provider. Before each test the clock is right.
import { beforeEach } from 'vitest'
import type { PaymentMethod } from '../../../src/database/enums.ts'
import { saveAccount } from '../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../src/providers/choose.ts'
import type { RealProvider } from '../../../src/providers/registry.ts'
import { openCheckout } from '../payer.ts'
import type { TestApp } from '../test-app.ts'

export function openCardMerchant(testApp: TestApp, provider: RealProvider, config: object) {
  const { db, clock, needs, newCompany } = testApp
  const checkout = openCheckout(testApp)

  beforeEach(async () => {
    clock.offsetMs = 0
    // What other tests left is not due.
    await db.$client.query('update transactions set check_at = null')
  })

  /** A company that takes cards, or Pix too, there. */
  async function newCollectingCompany(methods: PaymentMethod[] = ['credit_card'], more = {}) {
    const company = await newCompany()
    const account = await openAccount(company.id, more)
    for (const method of methods) {
      await chooseProvider(db, { companyId: company.id, method, provider, now: clock.now() })
    }
    return { company, account, hook: `/webhooks/${provider}/${account.notifyToken}` }
  }

  function openAccount(companyId: string, more: object = {}) {
    const save = { companyId, provider, config: { ...config, ...more }, now: clock.now() }
    return saveAccount(needs, save)
  }

  /** R$ 100,00, in up to twelve; payers pay the interest. */
  async function newCardLink(
    more: object = {},
    owner?: Awaited<ReturnType<typeof newCollectingCompany>>,
  ) {
    const { company } = owner ?? (await newCollectingCompany())
    const fields = { maxInstallments: 12, interestMode: 'pass_to_customer', ...more }
    return checkout.newLink(fields, company)
  }

  return { ...checkout, newCollectingCompany, openAccount, newCardLink }
}
