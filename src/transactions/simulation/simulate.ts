// Payments of the sandbox, as a payer's bank would make them: a Pix that is paid in full, a purchase that
// is confirmed or not.

import { isSandbox } from '../../database/enums.ts'
import { invalidFieldsError, notFoundError } from '../../http/errors.ts'
import {
  answerChallenge,
  paySandboxPix,
  toSandboxReference,
} from '../../providers/sandbox/sandbox.ts'
import { checkPayment } from '../check.ts'
import type { PayNeeds } from '../needs.ts'
import type { TransactionRow } from '../transaction.ts'
import { simulationTexts } from './texts.ts'

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

/** What the payer answers the bank that asks; a slow charge is asked about. Ended, it changes nothing. */
export async function simulateAnswer(
  needs: PayNeeds,
  row: TransactionRow,
  isConfirmed: boolean,
): Promise<TransactionRow> {
  if (!isSandbox(row.provider)) throw notFoundError()
  if (row.method === 'pix') {
    if (!isConfirmed) throw buildPixOutcomeError()
    return simulatePayment(needs, row)
  }
  await answerChallenge(needs.db, toSandboxReference(row.id), isConfirmed, needs.now())
  return checkPayment(needs, row)
}

/** Nobody declines a Pix: who does not want it leaves it to expire. */
function buildPixOutcomeError() {
  const { pixOutcome: message } = simulationTexts
  return invalidFieldsError([{ field: 'outcome', code: 'not_simulated', message }])
}

export function isSandboxPix({ provider, method }: TransactionRow) {
  return provider === 'sandbox' && method === 'pix'
}
