// A company's account at the fake bank, with a clock that the test moves; the bank behaves again after each test.
import { afterEach } from 'vitest'
import { createPixApiProvider } from '../../../../src/providers/pix-api/provider.ts'
import { buildPixChargeKey, newPixCharge } from '../charges.ts'
import { openFakeBank } from './fake.ts'

export async function openBankAccount() {
  const clock = { offsetMs: 0 }
  const now = () => new Date(Date.now() + clock.offsetMs)
  const bank = await openFakeBank({ now })
  const provider = createPixApiProvider(bank.config, { now, createDeadline: bank.createDeadline })
  const { manner } = bank.book
  const good = { ...manner }

  afterEach(() => {
    clock.offsetMs = 0
    bank.heal()
    Object.assign(manner, good)
  })

  async function charged() {
    const charge = newPixCharge(now())
    await provider.charge(charge, now())
    return charge
  }

  async function paid(cents = 1_990) {
    const charge = await charged()
    const pix = bank.pay(charge.txid, cents)
    return { charge, pix, key: buildPixChargeKey(charge, charge.txid) }
  }

  return { bank, provider, clock, now, charged, paid }
}
