// "Simular pagamento": somebody pays a Pix of the sandbox in full, as a payer's bank would.

import { notFoundError } from '../http/errors.ts'
import { paySandboxPix } from '../providers/sandbox/sandbox.ts'
import { checkPayment } from './check.ts'
import type { PayNeeds } from './needs.ts'
import type { TransactionRow } from './transaction.ts'

/** The payment as it stands then; 404 for any that is not the sandbox's. Paid again it changes nothing. */
export async function simulatePayment(
  needs: PayNeeds,
  row: TransactionRow,
): Promise<TransactionRow> {
  if (!isSandboxPix(row)) throw notFoundError()
  const { id: transactionId, totalCents: amountCents } = row
  await paySandboxPix(needs.db, { transactionId, amountCents }, needs.now())
  return checkPayment(needs, row)
}

export function isSandboxPix({ provider, method }: TransactionRow) {
  return provider === 'sandbox' && method === 'pix'
}
