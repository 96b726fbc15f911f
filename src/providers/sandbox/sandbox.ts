// The provider of test mode: a simulated bank that keeps its own book (sandbox_charges), so that what
// it approved outlives a crash of ours, as a real one's would. No card number ever reaches it.

import { randomBytes } from 'node:crypto'
import type { Database } from '../../database/connect.ts'
import { and, eq } from '../../database/drizzle.ts'
import type { DeclineCode } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { sandboxCharges } from '../../database/tables.ts'
import { buildBrCode } from '../br-code.ts'
import {
  type Charge,
  type ChargeOutcome,
  type Provider,
  ProviderDown,
  type ThreeDs,
} from '../provider.ts'
import { findSandboxRefund, recordSandboxRefund } from './refunds.ts'

const SANDBOX_PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const SANDBOX_CHALLENGE_MS = 5 * 60_000
const SLOW_CHARGE_MS = 10_000
const CARD_TOKEN_PATTERN = /^sbx_([a-z_]+)_[A-Za-z0-9]{8,64}$/

type SandboxDecline = { code: DeclineCode; abecs: string | null; retryable: boolean }

const THREE_DS_FAILED: SandboxDecline = { code: 'threeds_failed', abecs: null, retryable: true }

export const SANDBOX_DECLINES: Record<string, SandboxDecline> = {
  generic: { code: 'generic', abecs: '05', retryable: true },
  challenge_declined: { code: 'generic', abecs: '05', retryable: true },
  funds: { code: 'insufficient_funds', abecs: '51', retryable: true },
  expired: { code: 'expired_card', abecs: '54', retryable: false },
  cvv: { code: 'invalid_cvv', abecs: '63', retryable: false },
  fraud: { code: 'suspected_fraud', abecs: '59', retryable: true },
  threeds_failed: THREE_DS_FAILED,
}
const CHALLENGE_SCENARIOS = ['challenge', 'challenge_declined']
const SCENARIOS = [
  'ok',
  'slow',
  'unavailable',
  ...CHALLENGE_SCENARIOS,
  ...Object.keys(SANDBOX_DECLINES),
]

type SandboxChargeRow = typeof sandboxCharges.$inferSelect
type SandboxNeeds = {
  db: Database
  /** Where the simulated bank's 3DS page of a charge is. */
  challengeUrl(reference: string): string
}

export function createSandboxProvider({ db, challengeUrl }: SandboxNeeds): Provider {
  return {
    name: 'sandbox',
    testMode: true,

    async charge(charge, now) {
      if (charge.method === 'pix') return toSandboxPixOutcome(charge)
      const scenario = parseScenario(charge.card.token)
      if (!scenario)
        return toSandboxDecline(null, { code: 'invalid_card', abecs: '14', retryable: false })
      if (scenario === 'unavailable') throw new ProviderDown('The sandbox answered 503')
      const row = await recordSandboxCharge(db, charge, scenario, now)
      return toSandboxOutcome(row, now)
    },

    async find(key, now) {
      const row = await findSandboxCharge(db, toSandboxReference(key.transactionId))
      return row ? toSandboxOutcome(row, now) : { status: 'unknown' }
    },

    async cancel(key) {
      await db
        .update(sandboxCharges)
        .set({ status: 'voided' })
        .where(eq(sandboxCharges.reference, toSandboxReference(key.transactionId)))
    },

    async refund({ refundId, transactionId, amountCents }, now) {
      const entry = { refundId, chargeReference: toSandboxReference(transactionId), amountCents }
      const isPaid = (charge: SandboxChargeRow) => getSandboxStatus(charge, now) === 'approved'
      return recordSandboxRefund(db, entry, isPaid, now)
    },

    async findRefund({ refundId }, now) {
      return findSandboxRefund(db, refundId, now)
    },

    // The simulated bank sends no news.
    readNotification: () => null,

    testConnection: async () => [],
  }

  function toSandboxOutcome(row: SandboxChargeRow, now: Date): ChargeOutcome {
    const { reference, scenario } = row
    switch (getSandboxStatus(row, now)) {
      case 'challenge':
        return {
          status: 'awaiting_authentication',
          reference,
          challengeUrl: challengeUrl(reference),
          expiresAt: new Date(Date.parse(row.createdAt) + SANDBOX_CHALLENGE_MS).toISOString(),
        }
      case 'processing':
        return { status: 'processing', reference }
      case 'approved':
        return toSandboxApproval(row, now)
      case 'declined':
        return toSandboxDecline(reference, SANDBOX_DECLINES[scenario] ?? THREE_DS_FAILED, scenario)
      case 'voided':
        return toSandboxDecline(reference, THREE_DS_FAILED, scenario)
    }
  }
}

/** What the simulated bank's clock makes of a charge: a challenge runs out, a slow one comes through. */
function getSandboxStatus(
  { status, createdAt }: SandboxChargeRow,
  now: Date,
): SandboxChargeRow['status'] {
  const age = now.getTime() - Date.parse(createdAt)
  if (status === 'challenge' && age >= SANDBOX_CHALLENGE_MS) return 'voided'
  if (status === 'processing' && age >= SLOW_CHARGE_MS) return 'approved'
  return status
}

function toSandboxApproval(row: SandboxChargeRow, now: Date): ChargeOutcome {
  const { reference, amountCents: paidCents, endToEndId } = row
  const paidAt = row.paidAt ?? now.toISOString()
  const proof = endToEndId ? { endToEndId } : { threeDs: toSandboxThreeDs(row) }
  return { status: 'approved', reference, paidCents, paidAt, ...proof }
}

function toSandboxPixOutcome(charge: Charge & { method: 'pix' }): ChargeOutcome {
  const { txid, totalCents, merchant, expiresAt, transactionId } = charge
  const pixBrCode = buildBrCode({
    key: SANDBOX_PIX_KEY,
    txid,
    amountCents: totalCents,
    merchantName: merchant.name,
    merchantCity: merchant.city,
  })
  return { status: 'pending', reference: toSandboxReference(transactionId), pixBrCode, expiresAt }
}

function toSandboxDecline(
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

function parseScenario(token: string) {
  const scenario = token.match(CARD_TOKEN_PATTERN)?.[1]
  return scenario && SCENARIOS.includes(scenario) ? scenario : undefined
}

/** Writes the charge once; asked again with the same key it answers what stands. */
async function recordSandboxCharge(
  db: Database,
  charge: Charge & { method: 'credit_card' },
  scenario: string,
  now: Date,
) {
  const reference = toSandboxReference(charge.transactionId)
  const status = getInitialStatus(scenario)
  await db
    .insert(sandboxCharges)
    .values({
      reference,
      scenario,
      status,
      amountCents: charge.totalCents,
      eci: charge.card.brand === 'mastercard' ? '02' : '05',
      paidAt: status === 'approved' ? now.toISOString() : null,
      createdAt: now.toISOString(),
    })
    .onConflictDoNothing()
  return requireFound(await findSandboxCharge(db, reference))
}

function getInitialStatus(scenario: string): SandboxChargeRow['status'] {
  if (scenario === 'ok') return 'approved'
  if (scenario === 'slow') return 'processing'
  return CHALLENGE_SCENARIOS.includes(scenario) ? 'challenge' : 'declined'
}

export async function findSandboxCharge(db: Database, reference: string) {
  const [row] = await db
    .select()
    .from(sandboxCharges)
    .where(eq(sandboxCharges.reference, reference))
  return row
}

/** What the payer answered on the simulated bank's page. Only the first answer counts. */
export async function answerChallenge(
  db: Database,
  reference: string,
  approve: boolean,
  now: Date,
) {
  const row = await findSandboxCharge(db, reference)
  const expired = !row || now.getTime() - new Date(row.createdAt).getTime() >= SANDBOX_CHALLENGE_MS
  const paid = approve && !expired && row.scenario === 'challenge'
  await db
    .update(sandboxCharges)
    .set({
      status: paid ? 'approved' : approve && !expired ? 'declined' : 'voided',
      paidAt: paid ? now.toISOString() : null,
    })
    .where(and(eq(sandboxCharges.reference, reference), eq(sandboxCharges.status, 'challenge')))
}

type SandboxPixPayment = { transactionId: string; amountCents: number }

/** Somebody pays a Pix code of the sandbox; a second payment of the same code changes nothing. */
export async function paySandboxPix(
  db: Database,
  { transactionId, amountCents }: SandboxPixPayment,
  now: Date,
) {
  await db
    .insert(sandboxCharges)
    .values({
      reference: toSandboxReference(transactionId),
      scenario: 'ok',
      status: 'approved',
      amountCents,
      endToEndId: newEndToEndId(now),
      paidAt: now.toISOString(),
      createdAt: now.toISOString(),
    })
    .onConflictDoNothing()
}

export function toSandboxReference(transactionId: string) {
  return `sbx_${transactionId}`
}

export function parseSandboxReference(reference: string) {
  return reference.replace(/^sbx_/, '')
}

/** `E` + ISPB (8) + yyyyMMddHHmm in UTC + 11 characters: 32 in all (Manual de Padrões do Pix). */
function newEndToEndId(now: Date) {
  const minute = now.toISOString().replace(/\D/g, '').slice(0, 12)
  return `E00000000${minute}${randomBytes(6).toString('hex').slice(0, 11)}`
}
