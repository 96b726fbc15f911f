import { z } from 'zod'
import { bodyRefusals, notFoundError, Problem, refusals } from '../../http/errors.ts'
import type { Routes } from '../../http/zod.ts'
import { requirePaymentLink } from '../../payment-links/payment-link.ts'
import { requireListedTransaction } from '../list.ts'
import type { PayNeeds } from '../needs.ts'
import { TransactionResource } from '../schema.ts'
import { serializeTransaction } from '../serialize.ts'
import { transactionTexts } from '../texts.ts'
import { simulateLinkPayment } from './pay.ts'
import { SimulatedAnswer, SimulatedPayment } from './schema.ts'
import { simulateAnswer } from './simulate.ts'

const tags = ['Transactions']

const PAY_LINK_SCHEMA = {
  summary: 'Pay a payment link of the test environment',
  description:
    'As a payer would, without a browser; events and e-mails follow. 404 in the real environment.',
  operationId: 'simulatePaymentLinkPayment',
  tags,
  params: z.object({ idOrSlug: z.string() }),
  body: SimulatedPayment.nullish(),
  response: { 201: TransactionResource, 404: Problem, 409: Problem, ...bodyRefusals, ...refusals },
}

const ANSWER_SCHEMA = {
  summary: 'Pay or answer a transaction of the test environment',
  description:
    'Pays a Pix that waits, and answers for the payer a bank that asks to confirm a card purchase. What has ended stays as it is. 404 in the real environment.',
  operationId: 'simulateTransaction',
  tags,
  params: z.object({ id: z.string() }),
  body: SimulatedAnswer.nullish(),
  response: { 200: TransactionResource, 404: Problem, ...bodyRefusals, ...refusals },
}

export const simulationRoutes: Routes<PayNeeds> = async (app, needs) => {
  const { db, checkoutUrl } = needs

  app.post(
    '/payment-links/:idOrSlug/simulate-payment',
    { config: { resource: 'transactions' }, schema: PAY_LINK_SCHEMA },
    async ({ company, params, body, resourceId: id }, reply) => {
      if (!company.testMode) throw notFoundError()
      const link = await requirePaymentLink(db, company.id, params.idOrSlug)
      const asked = body ?? SimulatedPayment.parse({})
      const row = await simulateLinkPayment(needs, { ...asked, company, link, id })
      reply.code(201).header('location', `/api/transactions/${row.id}`)
      return serializeTransaction(row, link.slug, checkoutUrl)
    },
  )

  app.post(
    '/transactions/:id/simulate',
    { config: { resource: 'transactions' }, schema: ANSWER_SCHEMA },
    async ({ company, params, body }) => {
      if (!company.testMode) throw notFoundError(transactionTexts.notFound)
      const listed = await requireListedTransaction(db, company.id, params.id)
      const row = await simulateAnswer(needs, listed, body?.outcome !== 'decline')
      return serializeTransaction(row, listed.linkSlug, checkoutUrl)
    },
  )
}
