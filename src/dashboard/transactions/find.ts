// Finds the payment of an address, and how much of it may be refunded.

import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { notFoundError } from '../../http/errors.ts'
import { sumCents } from '../../transactions/incoming/amounts.ts'
import { findListedTransaction } from '../../transactions/list/listed.ts'
import { loadRefundable } from '../../transactions/refunds/create.ts'
import { transactionTexts } from '../../transactions/texts.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import type { ById, DashboardNeeds } from '../layout/needs.ts'

/** Throws 404 when it belongs to another company. */
export async function findRequestedPayment(
  db: Database,
  { visitor, params }: FastifyRequest<ById>,
) {
  const payment = await findListedTransaction(db, visitor.company.id, params.id)
  if (!payment) throw notFoundError(transactionTexts.notFound)
  return payment
}

/** `left` is 0 when nothing can be refunded; the surplus is refunded first. */
export async function loadRefundableAmount({ db, now }: DashboardNeeds, payment: TransactionRow) {
  const refundable = await loadRefundable(db, payment, now())
  if (refundable.kind === 'refused') return { left: 0, surplusCents: 0 }
  const { leftCents: left, sources } = refundable
  return { left, surplusCents: sumCents(sources.map((source) => source.surplusCents)) }
}
