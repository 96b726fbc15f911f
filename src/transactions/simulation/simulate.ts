// Changes payments of the sandbox as a payer's bank would: a Pix is paid in full, a card purchase is confirmed or not.

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

/** Returns the paid payment; 404 for payments outside the sandbox. A second call changes nothing. */
export async function simulatePayment(
  needs: PayNeeds,
  row: TransactionRow,
): Promise<TransactionRow> {
  if (!isSandboxPix(row)) throw notFoundError()
  const { id: transactionId, totalCents: amountCents } = row
  await paySandboxPix(needs.db, { transactionId, amountCents }, needs.now())
  return checkPayment(needs, row)
}

/** Answers the bank's confirmation for the payer; a slow charge is checked. An ended payment does not change. */
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

/** A Pix cannot be declined: an unwanted one expires. */
function buildPixOutcomeError() {
  const { pixOutcome: message } = simulationTexts
  return invalidFieldsError([{ field: 'outcome', code: 'not_simulated', message }])
}

export function isSandboxPix({ provider, method }: TransactionRow) {
  return provider === 'sandbox' && method === 'pix'
}
