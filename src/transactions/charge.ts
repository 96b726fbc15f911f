// Sends the charge of a committed attempt, and applies the provider's answer. The provider is called outside any
// transaction and knows the charge by our id, so that after a crash asking it again (check.ts) shows the result.

import { setTimeout as sleep } from 'node:timers/promises'
import { isSandbox } from '../database/enums.ts'
import { SECOND_MS } from '../database/instant.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import { findRetryAt } from '../providers/call.ts'
import {
  type CardToken,
  type Charge,
  type ChargeOutcome,
  ProviderDown,
} from '../providers/provider.ts'
import { buildPixCode, PROVIDER_UNAVAILABLE } from './lifecycle.ts'
import type { PayNeeds } from './needs.ts'
import { openPaymentAccount, toChargeKey } from './provider-account.ts'
import { paymentUrl } from './serialize.ts'
import { settle } from './settle.ts'
import { classifyProviderError, tryRecordStep } from './steps.ts'
import type { TransactionRow } from './transaction.ts'

const CHARGE_RETRY_DELAYS_MS = [200, 600]
/** If a provider asks for a longer wait, the charge is not sent again. */
const MAX_CHARGE_RETRY_MS = 3 * SECOND_MS
/** The pauses before asking again for a Pix with a lost answer; after them the reconciler continues. */
const PIX_RECOVERY_DELAYS_MS = [0, 500, SECOND_MS]

/** The parts of a charge that the payment's row lacks. */
export type ChargeDetails = {
  link: LinkRow
  merchant: { name: string; city: string }
  /** Used for this charge and not kept. Null for a Pix, and for a card that is entered at the provider's page. */
  card: CardToken | null
}

/**
 * Adds to a Pix what is known of it before it is sent: the institution that receives it, and the code where its provider
 * needs no call.
 */
export async function draftPix<Row extends TransactionRow>(
  needs: PayNeeds,
  row: Row,
  details: ChargeDetails,
): Promise<Row> {
  if (row.method !== 'pix') return row
  // A failure is ignored, because it occurs again and is handled after the attempt is written.
  const account = await openPaymentAccount(needs, row).catch(() => undefined)
  const drafted = { ...row, pixInstitution: account?.institution ?? null }
  if (!isSandbox(row.provider)) return drafted
  const outcome = await sendChargeOnce(needs, row, details).catch(() => undefined)
  return outcome?.status === 'pending'
    ? { ...drafted, ...buildPixCode(drafted, outcome, needs.now()) }
    : drafted
}

/** Returns the payment after its charge; still open when the result of the charge is unknown. */
export async function chargePayment(
  needs: PayNeeds,
  row: TransactionRow,
  details: ChargeDetails,
): Promise<TransactionRow> {
  const first = await sendCharge(needs, row, details)
  const isLostPix = first.kind === 'unknown' && row.method === 'pix'
  const sent = isLostPix && !first.retryAt ? await recoverPix(needs, row, details) : first
  if (sent.kind === 'answered')
    return settle(needs, row, { kind: 'answer', outcome: sent.outcome, source: 'charge' })
  return isLostPix ? settle(needs, row, { kind: 'no answer', retryAt: sent.retryAt }) : row
}

/** `retryAt`: until then the provider wants no calls. */
type SentCharge =
  | { kind: 'answered'; outcome: ChargeOutcome }
  | { kind: 'unknown'; retryAt: Date | undefined }

/** Sends the charge again only if the provider did not process it. */
async function sendCharge(
  needs: PayNeeds,
  row: TransactionRow,
  details: ChargeDetails,
): Promise<SentCharge> {
  const delays = needs.retryDelaysMs ?? CHARGE_RETRY_DELAYS_MS
  for (let tries = 0; ; tries++) {
    const sent = await trySendCharge(needs, row, details)
    if (sent.kind !== 'down') return sent
    const { retryAt } = sent
    const delay = getRetryDelay(needs, retryAt, delays[tries])
    if (delay !== undefined) await sleep(delay)
    // A Pix may be sent again until its code would expire.
    else if (row.method === 'pix') return { kind: 'unknown', retryAt }
    else return { kind: 'answered', outcome: PROVIDER_UNAVAILABLE }
  }
}

async function trySendCharge(
  needs: PayNeeds,
  row: TransactionRow,
  details: ChargeDetails,
): Promise<SentCharge | { kind: 'down'; retryAt: Date | undefined }> {
  try {
    return { kind: 'answered', outcome: await sendChargeOnce(needs, row, details) }
  } catch (error) {
    needs.log.warn({ err: error, transactionId: row.id }, 'a charge failed without a verdict')
    const reason = classifyProviderError(error)
    await tryRecordStep(needs, row.id, { kind: 'provider_failed', details: { reason } })
    const kind = error instanceof ProviderDown ? 'down' : 'unknown'
    return { kind, retryAt: findRetryAt(error) }
  }
}

/** Waits as long as the provider wants; undefined when the charge is not sent again. */
function getRetryDelay({ now }: PayNeeds, retryAt: Date | undefined, delayMs: number | undefined) {
  if (delayMs === undefined || !retryAt) return delayMs
  const waitMs = Math.max(delayMs, retryAt.getTime() - now().getTime())
  return waitMs <= MAX_CHARGE_RETRY_MS ? waitMs : undefined
}

/** Sends the same charge again while its payer waits, which charges nothing twice. */
async function recoverPix(
  needs: PayNeeds,
  row: TransactionRow,
  details: ChargeDetails,
): Promise<SentCharge> {
  for (const delay of needs.retryDelaysMs ?? PIX_RECOVERY_DELAYS_MS) {
    await sleep(delay)
    try {
      const account = await openPaymentAccount(needs, row)
      const found = await account.find(toChargeKey(row), needs.now())
      const outcome = found.status === 'unknown' ? await sendChargeOnce(needs, row, details) : found
      return { kind: 'answered', outcome }
    } catch (err) {
      needs.log.warn({ err, transactionId: row.id }, 'a lost charge could not be sent again')
      const retryAt = findRetryAt(err)
      if (retryAt) return { kind: 'unknown', retryAt }
    }
  }
  return { kind: 'unknown', retryAt: undefined }
}

async function sendChargeOnce(needs: PayNeeds, row: TransactionRow, details: ChargeDetails) {
  const account = await openPaymentAccount(needs, row)
  return account.charge(buildCharge(needs, row, details), needs.now())
}

function buildCharge(
  { checkoutUrl }: PayNeeds,
  row: TransactionRow,
  { link, merchant, card }: ChargeDetails,
): Charge {
  const common = {
    transactionId: row.id,
    createdAt: row.createdAt,
    totalCents: row.totalCents,
    amountCents: row.totalCents - row.interestCents,
    title: link.title,
    slug: link.slug,
    merchant: { name: merchant.name, city: merchant.city },
    payer: {
      name: row.payerName,
      email: row.payerEmail,
      taxId: row.payerTaxId,
      phone: row.payerPhone,
    },
  }
  if (row.method === 'pix') {
    const { pixTxid: txid, expiresAt } = row
    if (!txid || !expiresAt) throw new Error('A Pix needs a txid and an expiry')
    return { ...common, method: 'pix', txid, expiresAt }
  }
  const { installments } = row
  const { statementDescriptor, slug } = link
  const returnUrl = paymentUrl(checkoutUrl, slug, row.token)
  return { ...common, method: 'credit_card', installments, statementDescriptor, card, returnUrl }
}
