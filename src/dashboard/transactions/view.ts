// Payments as the lists of the dashboard show them.

import type { TransactionStatus } from '../../database/enums.ts'
import { formatBrl } from '../../format.ts'
import type { Listed } from '../../transactions/list.ts'
import { transactionTexts } from '../../transactions/texts.ts'
import { isHeld, isReturned, type TransactionRow } from '../../transactions/transaction.ts'
import type { Badge, Tone } from '../layout/badge.ts'
import { momentOf } from '../layout/page.ts'
import { paymentPath } from '../layout/paths.ts'
import { transactionPageTexts } from './texts.ts'

const TONES: Record<TransactionStatus, Tone> = {
  pending: 'waiting',
  awaiting_authentication: 'waiting',
  processing: 'waiting',
  approved: 'good',
  declined: 'bad',
  expired: 'neutral',
  canceled: 'neutral',
  partially_refunded: 'neutral',
  refunded: 'neutral',
  charged_back: 'bad',
}

/** One row of a list. */
export function paymentRow(row: Listed) {
  return {
    payer: row.payerName,
    title: row.linkTitle,
    href: paymentPath(row.id),
    created: momentOf(row.createdAt),
    total: formatBrl(row.totalCents),
    method: paidWith(row),
    status: paymentBadge(row),
    testMode: row.testMode,
  }
}

export function paymentBadge(row: TransactionRow): Badge {
  const { held, returned } = transactionPageTexts.badges
  if (isHeld(row)) return { tone: 'bad', text: held }
  if (isReturned(row)) return { tone: 'neutral', text: returned }
  return { tone: TONES[row.status], text: transactionTexts.statuses[row.status] }
}

export function paidWith({ method, installments }: TransactionRow) {
  const name = transactionPageTexts.methods[method]
  return installments > 1 ? `${name} ${installments}x` : name
}
