// A company's account at the fake Pagar.me, with a clock that the test moves; Pagar.me behaves again after each test.
import { afterAll, afterEach } from 'vitest'
import { newId } from '../../../../src/database/id.ts'
import { createLogger } from '../../../../src/http/log.ts'
import { pagarmeConfig } from '../../../../src/providers/pagarme/config.ts'
import { createPagarmeProvider } from '../../../../src/providers/pagarme/provider.ts'
import type { CardCharge, ChargeKey, EarlierRefund } from '../../../../src/providers/provider.ts'
import { buildChargeKey, newCardCharge } from '../charges.ts'
import { openFakePagarme } from './fake.ts'

export const TOTAL_CENTS = 10_605

export async function openPagarmeAccount() {
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) }
  const { now } = clock
  const pagarme = await openFakePagarme({ now })
  const logged: string[] = []
  const provider = open()

  afterEach(() => {
    clock.offsetMs = 0
    pagarme.heal()
  })
  afterAll(() => provider.close?.())

  /** Another account there. */
  function open(more: object = {}) {
    const log = createLogger('debug', { write: (line: string) => logged.push(line) > 0 })
    const config = pagarmeConfig.parse({ ...pagarme.config, ...more })
    return createPagarmeProvider(config, { log, now, createDeadline: pagarme.createDeadline })
  }

  const newCharge = (more: Partial<CardCharge> = {}) => newCardCharge(now(), more)

  /** The payer is at the page. */
  async function charged(more: Partial<CardCharge> = {}) {
    const charge = newCharge(more)
    const outcome = await provider.charge(charge, now())
    const { reference } = outcome as { reference: string }
    return { charge, outcome, reference, key: buildChargeKey(charge, reference) }
  }

  async function paid() {
    const one = await charged()
    pagarme.pay(one.reference)
    return one
  }

  const find = (key: ChargeKey) => provider.find(key, now())
  return { ...{ clock, now, pagarme, provider, logged, open, newCharge, charged, paid, find } }
}

/** Of a part of what was paid, beside these refunds before it. */
export function buildCardRefund(
  { transactionId, reference }: ChargeKey,
  amountCents: number,
  earlier: EarlierRefund[] = [],
) {
  return {
    ...{ refundId: newId(), transactionId, method: 'credit_card' as const, amountCents },
    ...{ chargeReference: reference, endToEndId: null, reference: null, totalCents: TOTAL_CENTS },
    ...{ earlier, laterReferences: [], isFirst: true },
  }
}
