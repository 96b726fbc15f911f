// The payment that an address of the dashboard names.

import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { notFoundError } from '../../http/errors.ts'
import { findListedTransaction } from '../../transactions/listing/listed.ts'
import { transactionTexts } from '../../transactions/texts.ts'
import type { ById } from '../layout/needs.ts'

/** Of another company it is not found. */
export async function findRequestedPayment(
  db: Database,
  { visitor, params }: FastifyRequest<ById>,
) {
  const payment = await findListedTransaction(db, visitor.company.id, params.id)
  if (!payment) throw notFoundError(transactionTexts.notFound)
  return payment
}
