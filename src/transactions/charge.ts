// Sends the charge of an attempt that is committed, and applies what the provider answers. The provider
// is called outside any database transaction and knows the charge by our id: whatever happens in between,
// asking it again (check.ts) tells how the charge ended.

import { setTimeout as sleep } from 'node:timers/promises'
import type { LinkRow } from '../payment-links/payment-link.ts'
import {
  type CardToken,
  type Charge,
  type ChargeOutcome,
  ProviderDown,
} from '../providers/provider.ts'
import type { PayNeeds } from './needs.ts'
import { applyOutcome, PROVIDER_UNAVAILABLE } from './outcome.ts'
import { openPaymentAccount } from './provider-account.ts'
import { classifyProviderError, tryRecordStep } from './steps.ts'
import type { TransactionRow } from './transaction.ts'

const CHARGE_RETRY_DELAYS_MS = [200, 600]

/** What a charge says beside the payment's own row. */
export type ChargeDetails = {
  link: LinkRow
  merchant: { name: string; city: string }
  /** Used for this charge and not kept. */
  card: CardToken | null
}

/** The payment as it stands then; still open when nobody knows what became of the charge. */
export async function chargePayment(
  needs: PayNeeds,
  row: TransactionRow,
  details: ChargeDetails,
): Promise<TransactionRow> {
  const sent = await sendCharge(needs, row, details)
  return sent.kind === 'answered' ? applyOutcome(needs, row, sent.outcome, 'charge') : row
}

type SentCharge = { kind: 'answered'; outcome: ChargeOutcome } | { kind: 'unknown' }

/** Sent again only where the provider would not work on it. */
async function sendCharge(
  needs: PayNeeds,
  row: TransactionRow,
  details: ChargeDetails,
): Promise<SentCharge> {
  const delays = needs.retryDelaysMs ?? CHARGE_RETRY_DELAYS_MS
  for (let tries = 0; ; tries++) {
    try {
      return { kind: 'answered', outcome: await sendChargeOnce(needs, row, details) }
    } catch (error) {
      needs.log.warn({ err: error, transactionId: row.id }, 'a charge failed without a verdict')
      const reason = classifyProviderError(error)
      await tryRecordStep(needs, row.id, { kind: 'provider_failed', details: { reason } })
      if (!(error instanceof ProviderDown)) return { kind: 'unknown' }
      const delay = delays[tries]
      if (delay === undefined) return { kind: 'answered', outcome: PROVIDER_UNAVAILABLE }
      await sleep(delay)
    }
  }
}

async function sendChargeOnce(needs: PayNeeds, row: TransactionRow, details: ChargeDetails) {
  const account = await openPaymentAccount(needs, row)
  return account.charge(buildCharge(row, details, account.notifyUrl), needs.now())
}

function buildCharge(
  row: TransactionRow,
  { link, merchant, card }: ChargeDetails,
  notifyUrl: string,
): Charge {
  const common = {
    transactionId: row.id,
    totalCents: row.totalCents,
    amountCents: row.amountCents,
    title: link.title,
    slug: link.slug,
    merchant: { name: merchant.name, city: merchant.city },
    notifyUrl,
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
  if (!card) throw new Error('A card payment needs a card')
  return { ...common, method: 'credit_card', installments: row.installments, card }
}
