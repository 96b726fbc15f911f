// The payment that an address of the dashboard names.

import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { notFound } from '../../http/errors.ts'
import { findListedTransaction } from '../../transactions/list.ts'
import { transactionTexts } from '../../transactions/texts.ts'

export type PaymentById = { Params: { id: string } }

/** Of another company it is not found. */
export async function findRequestedPayment(
  db: Database,
  { visitor, params }: FastifyRequest<PaymentById>,
) {
  const payment = await findListedTransaction(db, visitor.company.id, params.id)
  if (!payment) throw notFound(transactionTexts.notFound)
  return payment
}
