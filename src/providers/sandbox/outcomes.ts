// The simulated bank's outcome of a charge, by its scenario and its age.

import { randomUUID } from 'node:crypto'
import type { DeclineCode } from '../../database/enums.ts'
import { MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import type { sandboxCharges } from '../../database/tables.ts'
import { getKeys } from '../../record.ts'
import { buildBrCode } from '../br-code.ts'
import {
  type CardToken,
  type ChargeOutcome,
  type EnteredCard,
  PROVIDER_PAGE_MINUTES,
  type ThreeDs,
} from '../provider.ts'

// The sandbox's test cards with their outcome, and how a receipt shows them. The checkout's table, by number, is
// views/assets/checkout/sandbox-card.js.
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

/** Builds a token as a payer's browser would send it. */
export function buildTestCardToken(scenario: CardScenario): CardToken {
  const nonce = randomUUID().replaceAll('-', '')
  return { token: `sbx_${scenario}_${nonce}`, ...TEST_CARDS[scenario] }
}

const SANDBOX_PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const CHALLENGE_MS = 5 * MINUTE_MS
const PAGE_MS = PROVIDER_PAGE_MINUTES * MINUTE_MS
const SLOW_CHARGE_MS = 10 * SECOND_MS
const CARD_TOKEN_PATTERN = /^sbx_([a-z_]+)_[A-Za-z0-9]{8,64}$/

/** The payer enters the card at the simulated acquirer's page. */
export const PAGE_SCENARIO = 'page'
const PAGE_CARD: EnteredCard = { ...TEST_CARDS.ok, holder: null }

export type SandboxChargeRow = typeof sandboxCharges.$inferSelect
type SandboxDecline = { code: DeclineCode; abecs: string | null; retryable: boolean }

const THREE_DS_FAILED: SandboxDecline = { code: 'threeds_failed', abecs: null, retryable: true }

const SANDBOX_DECLINES: Record<string, SandboxDecline> = {
  generic: { code: 'generic', abecs: '05', retryable: true },
  challenge_declined: { code: 'generic', abecs: '05', retryable: true },
  [PAGE_SCENARIO]: { code: 'generic', abecs: '05', retryable: true },
  funds: { code: 'insufficient_funds', abecs: '51', retryable: true },
  expired: { code: 'expired_card', abecs: '54', retryable: false },
  cvv: { code: 'invalid_cvv', abecs: '63', retryable: false },
  fraud: { code: 'suspected_fraud', abecs: '59', retryable: true },
  threeds_failed: THREE_DS_FAILED,
}
export const CHALLENGE_SCENARIOS = ['challenge', 'challenge_declined']

export function parseScenario(token: string) {
  const scenario = token.match(CARD_TOKEN_PATTERN)?.[1]
  return CARD_SCENARIOS.find((known) => known === scenario)
}

export function toSandboxOutcome(
  row: SandboxChargeRow,
  challengeUrl: string,
  now: Date,
): ChargeOutcome {
  const { reference, scenario } = row
  const isPage = scenario === PAGE_SCENARIO
  switch (getSandboxStatus(row, now)) {
    case 'challenge': {
      const expiresAt = getChallengeEnd(row)
      return isPage
        ? { status: 'awaiting_payer', reference, pageUrl: challengeUrl, expiresAt }
        : { status: 'awaiting_authentication', reference, challengeUrl, expiresAt }
    }
    case 'processing':
      return { status: 'processing', reference }
    case 'approved':
      return toSandboxApproval(row, now)
    case 'declined':
      return {
        ...toSandboxDecline(reference, SANDBOX_DECLINES[scenario] ?? THREE_DS_FAILED, scenario),
        ...(isPage && { card: PAGE_CARD }),
      }
    case 'voided':
      if (isPage) return { status: 'canceled', reference }
      return toSandboxDecline(reference, THREE_DS_FAILED, scenario)
  }
}

/** The status of a charge at this time: a challenge expires, a slow charge is approved. A page stays until it is left. */
export function getSandboxStatus(row: SandboxChargeRow, now: Date): SandboxChargeRow['status'] {
  const { status, createdAt, scenario } = row
  const age = now.getTime() - Date.parse(createdAt)
  if (isChallengeOver(row, now) && scenario !== PAGE_SCENARIO) return 'voided'
  if (status === 'processing' && age >= SLOW_CHARGE_MS) return 'approved'
  return status
}

/** Whether the payer came too late to answer. */
export function isChallengeOver(row: SandboxChargeRow, now: Date) {
  return row.status === 'challenge' && getChallengeEnd(row) <= now.toISOString()
}

function getChallengeEnd({ scenario, createdAt }: SandboxChargeRow) {
  const lastsMs = scenario === PAGE_SCENARIO ? PAGE_MS : CHALLENGE_MS
  return new Date(Date.parse(createdAt) + lastsMs).toISOString()
}

type Merchant = { name: string; city: string }

export function buildSandboxBrCode(txid: string, amountCents: number, { name, city }: Merchant) {
  const merchant = { merchantName: name, merchantCity: city }
  return buildBrCode({ key: SANDBOX_PIX_KEY, txid, amountCents, ...merchant })
}

function toSandboxApproval(row: SandboxChargeRow, now: Date): ChargeOutcome {
  const { reference, amountCents, endToEndId } = row
  const paidAt = row.paidAt ?? now.toISOString()
  if (endToEndId) {
    // In the simulated bank only our own requests refund money.
    const received = [{ endToEndId, amountCents, paidAt, refundedCents: 0 }]
    return { status: 'approved', reference, received }
  }
  const threeDs = toSandboxThreeDs(row)
  const paid = { status: 'approved', reference, paidCents: amountCents, paidAt, threeDs } as const
  return row.scenario === PAGE_SCENARIO ? { ...paid, card: PAGE_CARD } : paid
}

export function toSandboxDecline(
  reference: string | null,
  { code, abecs, retryable }: SandboxDecline,
  scenario = '',
): ChargeOutcome {
  const failed = code === 'threeds_failed'
  const flow = scenario.startsWith('challenge') ? 'challenge' : 'frictionless'
  const threeDs: ThreeDs = {
    status: failed ? 'failed' : 'authenticated',
    eci: failed ? null : '05',
    flow,
  }
  return { status: 'declined', reference, declineCode: code, abecsCode: abecs, retryable, threeDs }
}

function toSandboxThreeDs({ scenario, eci }: SandboxChargeRow): ThreeDs {
  return {
    status: 'authenticated',
    eci,
    flow: CHALLENGE_SCENARIOS.includes(scenario) ? 'challenge' : 'frictionless',
  }
}
