// A company's account at the fake Woovi, with a clock that the test moves; Woovi behaves again after each test.
import { afterAll, afterEach } from 'vitest'
import type { OpenPixConfig } from '../../../../src/providers/openpix/config.ts'
import { createOpenPixProvider } from '../../../../src/providers/openpix/provider.ts'
import { buildPixChargeKey, buildRefundRequest, newPixCharge, type PixCharge } from '../charges.ts'
import { openFakeOpenPix } from './fake.ts'

export async function openOpenPixAccount() {
  const clock = { offsetMs: 0 }
  const now = () => new Date(Date.now() + clock.offsetMs)
  const woovi = await openFakeOpenPix({ now })
  const provider = open()
  const { manner } = woovi.book
  const good = { ...manner }

  afterEach(() => {
    clock.offsetMs = 0
    woovi.heal()
    Object.assign(manner, good)
  })
  afterAll(() => provider.close?.())

  /** Another account there. */
  function open(more: Partial<OpenPixConfig> = {}) {
    const { createDeadline } = woovi
    return createOpenPixProvider({ ...woovi.config, ...more }, { now, createDeadline })
  }

  async function charged(more: Partial<PixCharge> = {}) {
    const charge = newPixCharge(now(), more)
    await provider.charge(charge, now())
    return { charge, key: buildPixChargeKey(charge, charge.transactionId) }
  }

  async function paid(cents = 1_990) {
    const { charge, key } = await charged()
    const pix = woovi.pay(charge.transactionId, cents)
    const refund = (amountCents: number) =>
      buildRefundRequest(charge, amountCents, {
        reference: key.reference,
        endToEndId: pix.endToEndId,
      })
    return { charge, key, pix, refund }
  }

  return { woovi, provider, open, clock, now, charged, paid }
}
