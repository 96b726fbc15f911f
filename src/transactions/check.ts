// Asks the provider how a charge stands and applies its answer: for whoever waits for it, for a
// notification, for the reconciler.

import { OPEN_STATUSES } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { isPast } from '../database/instant.ts'
import { findLinkById } from '../payment-links/payment-link.ts'
import { chargePayment } from './charge.ts'
import type { PayNeeds } from './needs.ts'
import { applyOutcome } from './outcome.ts'
import { toChargeKey } from './provider-account.ts'
import type { VerdictSource } from './steps.ts'
import type { TransactionRow } from './transaction.ts'

/** The payment as it stands then; `source` is what makes us ask. */
export async function checkPayment(
  needs: PayNeeds,
  row: TransactionRow,
  source: VerdictSource = 'reconciliation',
): Promise<TransactionRow> {
  const account = await needs.providers.open(row.companyId, row.provider)
  const outcome = await account.find(toChargeKey(row), needs.now())
  if (outcome.status === 'unknown' && isUnsentPix(row, needs.now())) return resendPix(needs, row)
  return applyOutcome(needs, row, outcome, source)
}

/** A Pix without a code that is still wanted. A card is never sent twice: what it needs was not kept. */
function isUnsentPix({ method, status, pixBrCode, expiresAt }: TransactionRow, now: Date) {
  const isOpen = method === 'pix' && OPEN_STATUSES.includes(status)
  return isOpen && !pixBrCode && !isPast(expiresAt, now)
}

async function resendPix(needs: PayNeeds, row: TransactionRow) {
  const { link, company } = requireFound(await findLinkById(needs.db, row.paymentLinkId))
  return chargePayment(needs, row, { link, merchant: company, card: null })
}
