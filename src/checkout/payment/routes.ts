// The routes of a payment's own page, in every state.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OPEN_STATUSES } from '../../database/enums.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { checkPayment } from '../../transactions/check.ts'
import { simulatePayment } from '../../transactions/simulation/simulate.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { isOnItsWay, linkPath, readKnownMs } from '../paths.ts'
import { getPaymentState } from '../payment-state.ts'
import { findNewerThanPayment } from '../visit.ts'
import {
  type FoundPayment,
  findPaymentByToken,
  type PaymentByToken,
  requirePaymentByToken,
} from './find.ts'
import { createPaymentReplies } from './replies.ts'

type LinkRoute = { Params: { slug: string } }

const CHECK_LIMIT = { max: 20, windowMs: MINUTE_MS }

export async function paymentRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  await paymentPageRoutes(app, needs)
  await paymentActionRoutes(app, needs)
  refusalPageRoutes(app, needs)
}

/** The page, and whether it has changed. */
async function paymentPageRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { sendPayment, sendUnknownPayment, redirectToPayment } = createPaymentReplies(needs)
  const isAtProviderPage = ({ row, found }: FoundPayment) =>
    getPaymentState(row, found.link, needs.now()) === 'redirect'

  app.get<PaymentByToken>('/:slug/payments/:token', async (request, reply) => {
    const payment = await findPaymentByToken(needs, request.params)
    if (payment.kind === 'unknown') return sendUnknownPayment(request, reply, payment.found)
    const newer = await findNewer(needs, request, payment)
    if (newer) return redirectToPayment(reply, { ...request.params, token: newer.token })
    // Back from the provider's page, whatever its address says: the provider is asked.
    const isBack = isAtProviderPage(payment) && !isOnItsWay(request.query)
    const row = isBack ? await checkPaymentNow(needs, payment.row) : payment.row
    return sendPayment(request, reply, { ...payment, row })
  })

  app.get<PaymentByToken>('/:slug/payments/:token/status', async (request) => {
    const payment = await requirePaymentByToken(needs, request.params)
    const row = (await findNewer(needs, request, payment)) ?? payment.row
    return { state: getPaymentState(row, payment.found.link, needs.now()), version: row.updatedAt }
  })
}

async function paymentActionRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { redirectToPayment } = createPaymentReplies(needs)

  /** The payer returns from the bank: the provider is asked at once, without waiting for a notification. */
  app.post<PaymentByToken>('/:slug/payments/:token/check', async (request) => {
    const { row, found } = await requirePaymentByToken(needs, request.params)
    const isWithProvider = row.method === 'credit_card' && OPEN_STATUSES.includes(row.status)
    const current = isWithProvider ? await checkPaymentNow(needs, row) : row
    const state = getPaymentState(current, found.link, needs.now())
    return { state, version: current.updatedAt }
  })

  app.post<PaymentByToken>('/:slug/payments/:token/simulate', async (request, reply) => {
    const { row } = await requirePaymentByToken(needs, request.params)
    await simulatePayment(needs, row)
    return redirectToPayment(reply, request.params)
  })
}

/** Not too often; where the provider does not answer, the reconciler asks again. */
async function checkPaymentNow(needs: CheckoutNeeds, row: TransactionRow) {
  const { exceeded } = await needs.limiter.countHit(`check:${row.id}`, CHECK_LIMIT)
  if (exceeded) return row
  return checkPayment(needs, row).catch((err: unknown) => {
    needs.log.warn({ err, transactionId: row.id }, 'a payment could not be checked')
    return row
  })
}

/** Finds another payment that the payer must see first. */
async function findNewer(
  { db, now }: CheckoutNeeds,
  request: FastifyRequest,
  { row, found: { link } }: FoundPayment,
) {
  const addressMs = readKnownMs(request.query)
  return findNewerThanPayment(request, row, { db, link, addressMs, now: now() })
}

/** Redirects browsers that open the address of a form's answer again, as phones do with their tabs. */
function refusalPageRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { redirectToPayment } = createPaymentReplies(needs)

  app.get<LinkRoute>('/:slug/payments', async (request, reply) =>
    reply.redirect(linkPath(needs, request.params.slug), 303),
  )
  for (const action of ['renew', 'simulate']) {
    app.get<PaymentByToken>(`/:slug/payments/:token/${action}`, async (request, reply) =>
      redirectToPayment(reply, request.params),
    )
  }
}
