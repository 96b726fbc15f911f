// The provider of test mode: a simulated bank with its own ledger (sandbox_charges), so that its approvals survive a
// crash of this program, as a real bank's do. No card number ever reaches it.

import { randomBytes } from 'node:crypto'
import type { Database } from '../../database/connect.ts'
import { and, eq } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { newToken } from '../../database/id.ts'
import { sandboxCharges } from '../../database/tables.ts'
import { type Charge, type Provider, ProviderDown } from '../provider.ts'
import {
  buildSandboxBrCode,
  CHALLENGE_SCENARIOS,
  getSandboxStatus,
  isChallengeOver,
  PAGE_SCENARIO,
  parseScenario,
  type SandboxChargeRow,
  toSandboxDecline,
  toSandboxOutcome,
} from './outcomes.ts'
import { findSandboxRefund, recordSandboxRefund } from './refunds.ts'

type SandboxNeeds = {
  db: Database
  /** The address of the simulated bank's 3DS page; `name` identifies a charge and cannot be guessed. */
  challengeUrl(name: string): string
}

export function createSandboxProvider({ db, challengeUrl }: SandboxNeeds): Provider {
  return {
    name: 'sandbox',
    testMode: true,
    institution: { cnpj: '11222333000181', name: 'Banco de teste' },

    async charge(charge, now) {
      if (charge.method === 'pix') {
        const reference = toSandboxReference(charge.transactionId)
        const { txid, totalCents, merchant, expiresAt } = charge
        const pixBrCode = buildSandboxBrCode(txid, totalCents, merchant)
        return { status: 'pending', reference, pixBrCode, expiresAt }
      }
      const scenario = charge.card ? parseScenario(charge.card.token) : PAGE_SCENARIO
      if (!scenario)
        return toSandboxDecline(null, { code: 'invalid_card', abecs: '14', retryable: false })
      if (scenario === 'unavailable') throw new ProviderDown('The sandbox answered 503')
      const row = await recordSandboxCharge(db, charge, scenario, now)
      return toSandboxOutcome(row, challengeUrl(buildChallengeName(row)), now)
    },

    async find(key, now) {
      const row = await findSandboxCharge(db, toSandboxReference(key.transactionId))
      if (!row) return { status: 'unknown' }
      return toSandboxOutcome(row, challengeUrl(buildChallengeName(row)), now)
    },

    async cancel(key, _now, { keepsPaid = false } = {}) {
      const charge = eq(sandboxCharges.reference, toSandboxReference(key.transactionId))
      await db
        .update(sandboxCharges)
        .set({ status: 'voided' })
        .where(keepsPaid ? and(charge, eq(sandboxCharges.status, 'challenge')) : charge)
    },

    async refund({ refundId, transactionId, amountCents }, now) {
      const chargeReference = toSandboxReference(requireFound(transactionId))
      const entry = { refundId, chargeReference, amountCents }
      const isPaid = (charge: SandboxChargeRow) => getSandboxStatus(charge, now) === 'approved'
      return recordSandboxRefund(db, entry, isPaid, now)
    },

    async findRefund({ refundId }, now) {
      return findSandboxRefund(db, refundId, now)
    },

    // The simulated bank sends no notifications.
    readNotification: () => ({ kind: 'forged', hints: [] }),

    testConnection: async () => [],
  }
}

/** Writes the charge once; a repeated request with the same key returns it. */
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
      eci: charge.card?.brand === 'mastercard' ? '02' : '05',
      challengeToken: status === 'challenge' ? newToken() : null,
      paidAt: status === 'approved' ? now.toISOString() : null,
      createdAt: now.toISOString(),
    })
    .onConflictDoNothing()
  return requireFound(await findSandboxCharge(db, reference))
}

function getInitialStatus(scenario: string): SandboxChargeRow['status'] {
  if (scenario === 'ok') return 'approved'
  if (scenario === 'slow') return 'processing'
  const waits = scenario === PAGE_SCENARIO || CHALLENGE_SCENARIOS.includes(scenario)
  return waits ? 'challenge' : 'declined'
}

async function findSandboxCharge(db: Database, reference: string) {
  const [row] = await db
    .select()
    .from(sandboxCharges)
    .where(eq(sandboxCharges.reference, reference))
  return row
}

/** Finds the charge of an address that challengeUrl built. */
export async function findChallengedCharge(db: Database, name: string) {
  const [reference = '', token] = name.split('.')
  const row = await findSandboxCharge(db, reference)
  return row?.challengeToken && row.challengeToken === token ? row : undefined
}

function buildChallengeName({ reference, challengeToken }: SandboxChargeRow) {
  return `${reference}.${challengeToken ?? ''}`
}

/** Records the payer's answer on the simulated bank's page. Only the first answer counts. */
export async function answerChallenge(
  db: Database,
  reference: string,
  approve: boolean,
  now: Date,
) {
  const row = await findSandboxCharge(db, reference)
  if (!row) return
  const expired = isChallengeOver(row, now)
  const isPage = row.scenario === PAGE_SCENARIO
  const paid = approve && !expired && row.scenario !== 'challenge_declined'
  const isRefused = !expired && (approve || isPage)
  await db
    .update(sandboxCharges)
    .set({
      status: paid ? 'approved' : isRefused ? 'declined' : 'voided',
      paidAt: paid ? now.toISOString() : null,
    })
    .where(and(eq(sandboxCharges.reference, reference), eq(sandboxCharges.status, 'challenge')))
}

type SandboxPixPayment = { transactionId: string; amountCents: number }

/** Pays a Pix code of the sandbox; a second payment of the same code changes nothing. */
export async function paySandboxPix(
  db: Database,
  { transactionId, amountCents }: SandboxPixPayment,
  now: Date,
) {
  const reference = toSandboxReference(transactionId)
  const at = now.toISOString()
  const paid = { scenario: 'ok', status: 'approved' as const, paidAt: at, createdAt: at }
  await db
    .insert(sandboxCharges)
    .values({ reference, amountCents, endToEndId: newEndToEndId(now), ...paid })
    .onConflictDoNothing()
}

export function toSandboxReference(transactionId: string) {
  return `sbx_${transactionId}`
}

export function parseSandboxReference(reference: string) {
  return reference.replace(/^sbx_/, '')
}

/** `E` + ISPB (8) + yyyyMMddHHmm in UTC + 11 characters: 32 in all (Manual de Padrões do Pix). */
export function newEndToEndId(now: Date) {
  const minute = now.toISOString().replace(/\D/g, '').slice(0, 12)
  return `E00000000${minute}${randomBytes(6).toString('hex').slice(0, 11)}`
}
