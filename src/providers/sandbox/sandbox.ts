// The provider of test mode: a simulated bank that keeps its own book (sandbox_charges), so that what
// it approved outlives a crash of ours, as a real one's would. No card number ever reaches it.
import { randomBytes } from 'node:crypto'
import type { Database } from '../../database/connect.ts'
import { and, eq } from '../../database/drizzle.ts'
import type { DeclineCode } from '../../database/enums.ts'
import { sandboxCharges } from '../../database/tables.ts'
import { brCode } from '../br-code.ts'
import {
  type Charge,
  type Outcome,
  type Provider,
  ProviderDown,
  type ThreeDs,
} from '../provider.ts'
import { bookRefund, findBookedRefund } from './refunds.ts'

const PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const CHALLENGE_MS = 5 * 60_000
const SLOW_MS = 10_000
const TOKEN = /^sbx_([a-z_]+)_[A-Za-z0-9]{8,64}$/

type Verdict = { code: DeclineCode; abecs: string | null; retryable: boolean }

export const DECLINES: Record<string, Verdict> = {
  generic: { code: 'generic', abecs: '05', retryable: true },
  challenge_declined: { code: 'generic', abecs: '05', retryable: true },
  funds: { code: 'insufficient_funds', abecs: '51', retryable: true },
  expired: { code: 'expired_card', abecs: '54', retryable: false },
  cvv: { code: 'invalid_cvv', abecs: '63', retryable: false },
  fraud: { code: 'suspected_fraud', abecs: '59', retryable: true },
  threeds_failed: { code: 'threeds_failed', abecs: null, retryable: true },
}
const CHALLENGES = ['challenge', 'challenge_declined']
const SCENARIOS = ['ok', 'slow', 'unavailable', ...CHALLENGES, ...Object.keys(DECLINES)]

type Row = typeof sandboxCharges.$inferSelect
type Needs = {
  db: Database
  /** Where the simulated bank's 3DS page of a charge is. */
  challengeUrl(reference: string): string
}

export function sandboxProvider({ db, challengeUrl }: Needs): Provider {
  return {
    name: 'sandbox',
    testMode: true,

    async charge(charge, now) {
      if (charge.method === 'pix') return pixCharge(charge)
      const scenario = scenarioOf(charge.card.token)
      if (!scenario) return refuse(null, { code: 'invalid_card', abecs: '14', retryable: false })
      if (scenario === 'unavailable') throw new ProviderDown('The sandbox answered 503')
      const row = await book(db, charge, scenario, now)
      return outcomeOf(row, now)
    },

    async find(key, now) {
      const row = await findSandboxCharge(db, referenceOf(key.transactionId))
      return row ? outcomeOf(row, now) : { status: 'unknown' }
    },

    async cancel(key) {
      await db
        .update(sandboxCharges)
        .set({ status: 'voided' })
        .where(eq(sandboxCharges.reference, referenceOf(key.transactionId)))
    },

    async refund({ refundId, transactionId, amountCents }, now) {
      const entry = { refundId, chargeReference: referenceOf(transactionId), amountCents }
      const isPaid = (charge: Row) => statusAt(charge, now) === 'approved'
      return bookRefund(db, entry, isPaid, now)
    },

    async findRefund({ refundId }, now) {
      return findBookedRefund(db, refundId, now)
    },

    // The simulated bank sends no news.
    readNotification: () => null,

    testConnection: async () => [],
  }

  function outcomeOf(row: Row, now: Date): Outcome {
    const { reference, scenario } = row
    switch (statusAt(row, now)) {
      case 'challenge':
        return {
          status: 'awaiting_authentication',
          reference,
          challengeUrl: challengeUrl(reference),
          expiresAt: new Date(Date.parse(row.createdAt) + CHALLENGE_MS).toISOString(),
        }
      case 'processing':
        return { status: 'processing', reference }
      case 'approved':
        return approve(row, now)
      case 'declined':
        return refuse(reference, DECLINES[scenario] ?? DECLINES.threeds_failed!, scenario)
      case 'voided':
        return refuse(reference, DECLINES.threeds_failed!, scenario)
    }
  }
}

/** What the simulated bank's clock makes of a charge: a challenge runs out, a slow one comes through. */
function statusAt({ status, createdAt }: Row, now: Date): Row['status'] {
  const age = now.getTime() - Date.parse(createdAt)
  if (status === 'challenge' && age >= CHALLENGE_MS) return 'voided'
  if (status === 'processing' && age >= SLOW_MS) return 'approved'
  return status
}

function approve(row: Row, now: Date): Outcome {
  const { reference, amountCents: paidCents, endToEndId } = row
  const paidAt = row.paidAt ?? now.toISOString()
  const proof = endToEndId ? { endToEndId } : { threeDs: authenticated(row) }
  return { status: 'approved', reference, paidCents, paidAt, ...proof }
}

function pixCharge(charge: Charge & { method: 'pix' }): Outcome {
  const { txid, totalCents, merchant, expiresAt, transactionId } = charge
  const pixBrCode = brCode({
    key: PIX_KEY,
    txid,
    amountCents: totalCents,
    merchantName: merchant.name,
    merchantCity: merchant.city,
  })
  return { status: 'pending', reference: referenceOf(transactionId), pixBrCode, expiresAt }
}

function refuse(
  reference: string | null,
  { code, abecs, retryable }: Verdict,
  scenario = '',
): Outcome {
  const failed = code === 'threeds_failed'
  const flow = scenario.startsWith('challenge') ? 'challenge' : 'frictionless'
  const threeDs: ThreeDs = {
    status: failed ? 'failed' : 'authenticated',
    eci: failed ? null : '05',
    flow,
  }
  return { status: 'declined', reference, declineCode: code, abecsCode: abecs, retryable, threeDs }
}

function authenticated({ scenario, eci }: Row): ThreeDs {
  return {
    status: 'authenticated',
    eci,
    flow: CHALLENGES.includes(scenario) ? 'challenge' : 'frictionless',
  }
}

function scenarioOf(token: string) {
  const scenario = token.match(TOKEN)?.[1]
  return scenario && SCENARIOS.includes(scenario) ? scenario : undefined
}

/** Writes the charge once; asked again with the same key it answers what stands. */
async function book(
  db: Database,
  charge: Charge & { method: 'credit_card' },
  scenario: string,
  now: Date,
) {
  const reference = referenceOf(charge.transactionId)
  const status = firstStatus(scenario)
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
  return (await findSandboxCharge(db, reference))!
}

function firstStatus(scenario: string): Row['status'] {
  if (scenario === 'ok') return 'approved'
  if (scenario === 'slow') return 'processing'
  return CHALLENGES.includes(scenario) ? 'challenge' : 'declined'
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
  const expired = !row || now.getTime() - new Date(row.createdAt).getTime() >= CHALLENGE_MS
  const paid = approve && !expired && row.scenario === 'challenge'
  await db
    .update(sandboxCharges)
    .set({
      status: paid ? 'approved' : approve && !expired ? 'declined' : 'voided',
      paidAt: paid ? now.toISOString() : null,
    })
    .where(and(eq(sandboxCharges.reference, reference), eq(sandboxCharges.status, 'challenge')))
}

type PixPayment = { transactionId: string; amountCents: number }

/** Somebody pays a Pix code of the sandbox; a second payment of the same code changes nothing. */
export async function paySandboxPix(
  db: Database,
  { transactionId, amountCents }: PixPayment,
  now: Date,
) {
  await db
    .insert(sandboxCharges)
    .values({
      reference: referenceOf(transactionId),
      scenario: 'ok',
      status: 'approved',
      amountCents,
      endToEndId: endToEndId(now),
      paidAt: now.toISOString(),
      createdAt: now.toISOString(),
    })
    .onConflictDoNothing()
}

export function referenceOf(transactionId: string) {
  return `sbx_${transactionId}`
}

export function transactionIdOf(reference: string) {
  return reference.replace(/^sbx_/, '')
}

/** `E` + ISPB (8) + yyyyMMddHHmm in UTC + 11 characters: 32 in all (Manual de Padrões do Pix). */
function endToEndId(now: Date) {
  const minute = now.toISOString().replace(/\D/g, '').slice(0, 12)
  return `E00000000${minute}${randomBytes(6).toString('hex').slice(0, 11)}`
}
