import { notFoundError } from '../../http/errors.ts'
import { IdParams } from '../../http/fields.ts'
import type { Routes } from '../../http/zod.ts'
import { LinkParams } from '../../payment-links/field-notes.ts'
import { requirePaymentLink } from '../../payment-links/payment-link.ts'
import { requireListedTransaction } from '../list/listed.ts'
import type { PayNeeds } from '../needs.ts'
import { TransactionResource } from '../schema.ts'
import { serializeTransaction } from '../serialize.ts'
import { transactionTexts } from '../texts.ts'
import { SimulatedAnswer, SimulatedPayment } from './schema.ts'
import { simulateAnswer, simulateLinkPayment } from './simulate.ts'

const tags = ['Transactions']

const PAY_LINK_SCHEMA = {
  summary: 'Pagar um link do ambiente de teste',
  description:
    'Como um pagador faria, sem navegador; eventos e e-mails seguem. 404 no ambiente real; 409 `link_not_payable` quando o link não está ativo, ou os pagamentos que ainda aceita estão em andamento.',
  operationId: 'simulatePaymentLinkPayment',
  tags,
  params: LinkParams,
  body: SimulatedPayment.nullish(),
  response: { 201: TransactionResource },
}

const ANSWER_SCHEMA = {
  summary: 'Pagar ou responder uma transação do ambiente de teste',
  description:
    'Paga um Pix que espera e responde, pelo pagador, ao banco que pede confirmação da compra no cartão. O que terminou fica como está. 404 no ambiente real; 409 `not_simulated` para um pagamento que está no ambiente de testes de um provedor.',
  operationId: 'simulateTransaction',
  tags,
  params: IdParams,
  body: SimulatedAnswer.nullish(),
  response: { 200: TransactionResource },
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
