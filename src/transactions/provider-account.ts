// The account that has a payment's money, and the payment's names at the provider.

import { type ChargeKey, type Provider, ProviderDown } from '../providers/provider.ts'
import type { PayNeeds } from './needs.ts'
import type { TransactionRow } from './transaction.ts'

/** Throws ProviderDown when the company has switched between live and test since the payment was made. */
export async function openPaymentAccount(
  { providers }: PayNeeds,
  { companyId, provider, testMode }: TransactionRow,
): Promise<Provider> {
  const account = await providers.open(companyId, provider)
  if (account.testMode !== testMode) throw new ProviderDown('It is another account by now')
  return account
}

/** `endToEndIds`: those of the booked Pix. */
export function toChargeKey(row: TransactionRow, endToEndIds: readonly string[] = []): ChargeKey {
  const { id: transactionId, createdAt, providerReference: reference } = row
  const { method, pixTxid, totalCents } = row
  const amountCents = totalCents - row.interestCents
  const asked = { transactionId, createdAt, method, pixTxid, amountCents, totalCents }
  return { ...asked, reference, endToEndIds }
}
