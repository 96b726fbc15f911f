// Companies with payers who pay by Pix at a fake bank that speaks the API Pix, through the real adapter.
import { afterEach } from 'vitest'
import { eq } from '../../../../src/database/drizzle.ts'
import { incomingPayments, providerAccounts } from '../../../../src/database/tables.ts'
import { findAccount, saveAccount } from '../../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../../src/providers/choose.ts'
import { readDueAccounts } from '../../../../src/transactions/reconciliation/account-lists.ts'
import { reconcileDuePayments } from '../../../../src/transactions/reconciliation/reconcile.ts'
import { openCheckout, PIX } from '../../payer.ts'
import type { TestApp, TestCompany } from '../../test-app.ts'
import { openFakeBank } from './fake.ts'

const PRICE_CENTS = 10_000

export async function openBankMerchant(testApp: TestApp) {
  const { clock, db, needs, newCompany } = testApp
  const { newLink, pay, read, listEventTypes } = openCheckout(testApp)
  const bank = await openFakeBank({ now: clock.now })
  const { manner } = bank.book
  const good = { ...manner }

  afterEach(async () => {
    clock.offsetMs = 0
    bank.heal()
    Object.assign(manner, good)
    // What is due later is no other test's.
    await db.$client.query('update transactions set check_at = null')
    await db.delete(providerAccounts)
  })

  async function openMerchant(more: object = {}) {
    const company = await newCompany()
    await openAccount(company, more)
    const link = await newLink({ methods: ['pix'], maxPayments: null }, company)
    return { company, link }
  }

  async function openAccount({ id: companyId }: TestCompany, more: object = {}) {
    const account = { companyId, provider: 'pix-api', now: clock.now() } as const
    await saveAccount(needs, { ...account, config: { ...bank.config, ...more } })
    await chooseProvider(db, { ...account, method: 'pix' })
  }

  /** A payment with its code shown, and nothing more. */
  async function charge({ link }: Pick<Awaited<ReturnType<typeof openMerchant>>, 'link'>) {
    const { row } = await pay(link, PIX)
    return row
  }

  const listBooked = (transactionId: string) =>
    db.select().from(incomingPayments).where(eq(incomingPayments.transactionId, transactionId))

  /** What the workers do at that time. */
  async function workAt(offsetMs: number) {
    clock.offsetMs = offsetMs
    await readDueAccounts(needs)
    await reconcileDuePayments(needs)
  }

  /** All that the bank is asked of payments: neither charges made nor tokens. */
  const reads = () => bank.calls(/^GET /)
  const accountOf = async (companyId: string) => (await findAccount(db, companyId, 'pix-api'))!
  const work = { workAt, reads, accountOf }
  return { bank, openMerchant, charge, read, listBooked, listEventTypes, ...work, PRICE_CENTS }
}
