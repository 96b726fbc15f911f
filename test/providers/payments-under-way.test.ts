// An account at a provider is changed while payments are under way at it: with other credentials of the
// same account they end as ever, another account knows nothing of them.
import { expect, test } from 'vitest'
import { saveAccount, testAccountConfig } from '../../src/providers/accounts.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import { providerAccountTexts } from '../../src/providers/texts.ts'
import { openCheckout, PIX } from '../support/payer.ts'
import { openFakeBank } from '../support/providers/bank/fake.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, clock, needs, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)
const at = { ...needs, allowPrivate: true }

const [bank, otherBank] = [await openFakeBank(), await openFakeBank()]

async function openPendingPix(config: object) {
  const company = await newCompany()
  const key = { companyId: company.id, provider: 'pix-api', now: clock.now() } as const
  await saveAccount(at, { ...key, config: { ...config } })
  await chooseProvider(db, { ...key, method: 'pix' })
  const { row } = await pay(await newLink({ methods: ['pix'] }, company), PIX)
  const tryOut = async (other: object) => {
    const steps = await testAccountConfig(at, { ...key, config: { ...other } })
    return steps.find(({ step }) => step === 'payments')
  }
  return { row, tryOut }
}

test('an account that does not know what is under way is told from the one that does', async () => {
  const { row, tryOut } = await openPendingPix(bank.config)
  expect(row.pixBrCode).toBeTruthy()

  expect(await tryOut(bank.config)).toEqual({ step: 'payments', ok: true })
  const { otherAccount: reason } = providerAccountTexts
  expect(await tryOut(otherBank.config)).toEqual({ step: 'payments', ok: false, reason })

  await db.$client.query("update transactions set status = 'expired' where id = $1", [row.id])
  expect(await tryOut(otherBank.config)).toBeUndefined()
})
