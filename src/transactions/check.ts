// Asks the provider how a charge stands and applies its answer: for whoever waits for it, for a
// notification, for the reconciler.

import type { Database } from '../database/connect.ts'
import { OPEN_STATUSES } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { isPast } from '../database/instant.ts'
import { findLinkWithCompany } from '../payment-links/payment-link.ts'
import type { Lane } from '../providers/provider.ts'
import { chargePayment } from './charge.ts'
import { listIncomingPayments } from './incoming/incoming-payment.ts'
import type { PayNeeds } from './needs.ts'
import { applyOutcome } from './outcome.ts'
import { toChargeKey } from './provider-account.ts'
import type { VerdictSource } from './steps.ts'
import type { TransactionRow } from './transaction.ts'

/** The payment as it stands then; `source` is what makes us ask, for a payer who waits unless told. */
export async function checkPayment(
  needs: PayNeeds,
  row: TransactionRow,
  source: VerdictSource = 'reconciliation',
  lane: Lane = 'payer',
): Promise<TransactionRow> {
  const account = await needs.providers.open(row.companyId, row.provider)
  const key = toChargeKey(row, await listEndToEndIds(needs.db, row))
  const outcome = await account.find(key, needs.now(), lane)
  if (outcome.status === 'unknown' && isUnsentPix(row, needs.now())) return resendPix(needs, row)
  return applyOutcome(needs, row, outcome, source)
}

/** Of what has come in so far; a version before this one has kept the first alone. */
async function listEndToEndIds(db: Database, { id, pixEndToEndId }: TransactionRow) {
  if (pixEndToEndId === null) return []
  const booked = await listIncomingPayments(db, id)
  return booked.length > 0 ? booked.map(({ endToEndId }) => endToEndId) : [pixEndToEndId]
}

/** A Pix without a code that is still wanted. A card is never sent twice: what it needs was not kept. */
function isUnsentPix({ method, status, pixBrCode, expiresAt }: TransactionRow, now: Date) {
  const isOpen = method === 'pix' && OPEN_STATUSES.includes(status)
  return isOpen && !pixBrCode && !isPast(expiresAt, now)
}

async function resendPix(needs: PayNeeds, row: TransactionRow) {
  const { link, company } = requireFound(await findLinkWithCompany(needs.db, row.paymentLinkId))
  return chargePayment(needs, row, { link, merchant: company, card: null })
}
