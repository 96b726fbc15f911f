// Asks the provider for the state of a charge and applies its answer: for a waiting payer, a notification or the
// reconciler.

import type { Database } from '../database/connect.ts'
import { OPEN_STATUSES } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { isPast } from '../database/instant.ts'
import { findLinkWithCompany } from '../payment-links/payment-link.ts'
import type { Lane } from '../providers/provider.ts'
import { chargePayment } from './charge.ts'
import { listIncomingPayments } from './incoming/incoming-payment.ts'
import type { PayNeeds } from './needs.ts'
import { toChargeKey } from './provider-account.ts'
import { settle } from './settle.ts'
import type { VerdictSource } from './steps.ts'
import type { TransactionRow } from './transaction.ts'

/** Returns the updated payment. `source` is the reason for asking; the default is a waiting payer. */
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
  return settle(needs, row, { kind: 'answer', outcome, source })
}

async function listEndToEndIds(db: Database, { id, pixEndToEndId }: TransactionRow) {
  if (pixEndToEndId === null) return []
  return (await listIncomingPayments(db, id)).map(({ endToEndId }) => endToEndId)
}

/** Whether it is a wanted Pix without a code. A card cannot be sent again, since its token is not stored. */
function isUnsentPix({ method, status, pixBrCode, expiresAt }: TransactionRow, now: Date) {
  const isOpen = method === 'pix' && OPEN_STATUSES.includes(status)
  return isOpen && !pixBrCode && !isPast(expiresAt, now)
}

async function resendPix(needs: PayNeeds, row: TransactionRow) {
  const { link, company } = requireFound(await findLinkWithCompany(needs.db, row.paymentLinkId))
  return chargePayment(needs, row, { link, merchant: company, card: null })
}
