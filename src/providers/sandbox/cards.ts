// The test cards of the sandbox: what each brings about, and how it looks on a receipt. The checkout's
// own table, by number, is views/assets/checkout/sandbox-card.js.

import { randomUUID } from 'node:crypto'
import { getKeys } from '../../record.ts'
import type { CardToken } from '../provider.ts'

const TEST_CARDS = {
  ok: { brand: 'visa', last4: '4242' },
  challenge: { brand: 'visa', last4: '3220' },
  challenge_declined: { brand: 'visa', last4: '1629' },
  threeds_failed: { brand: 'visa', last4: '3184' },
  generic: { brand: 'visa', last4: '0002' },
  funds: { brand: 'visa', last4: '9995' },
  expired: { brand: 'visa', last4: '0069' },
  cvv: { brand: 'visa', last4: '0127' },
  fraud: { brand: 'visa', last4: '0259' },
  slow: { brand: 'visa', last4: '0119' },
  unavailable: { brand: 'visa', last4: '3063' },
} as const

type CardScenario = keyof typeof TEST_CARDS
export const CARD_SCENARIOS = getKeys(TEST_CARDS)

/** As a payer's browser would hand it over. */
export function buildTestCardToken(scenario: CardScenario): CardToken {
  const nonce = randomUUID().replaceAll('-', '')
  return { token: `sbx_${scenario}_${nonce}`, ...TEST_CARDS[scenario] }
}
