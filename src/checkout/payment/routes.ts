// A payer at a payment's own page, whatever state it is in, and what they can do there.

import type { FastifyInstance } from 'fastify'
import { IN_PROGRESS_STATUSES } from '../../database/enums.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { tooManyRequestsError } from '../../http/errors.ts'
import { checkPayment } from '../../transactions/check.ts'
import { simulatePayment } from '../../transactions/simulation/simulate.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { resolveTexts } from '../language.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { linkPath, newPaymentPath } from '../paths.ts'
import { findPaymentByToken, type PaymentByToken, requirePaymentByToken } from './find.ts'
import { getPaymentState } from './page.ts'
import { renewPix } from './pay.ts'
import { createPaymentReplies } from './replies.ts'

type LinkRoute = { Params: { slug: string } }

const CHECK_LIMIT = { max: 20, windowMs: MINUTE_MS }

export async function paymentRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  await paymentPageRoutes(app, needs)
  await paymentActionRoutes(app, needs)
  refusalPageRoutes(app, needs)
}

/** What the page shows, and whether that has changed. */
async function paymentPageRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { sendPayment, sendUnknownPayment } = createPaymentReplies(app, needs)

  app.get<PaymentByToken>('/:slug/payments/:token', async (request, reply) => {
    const payment = await findPaymentByToken(needs, request.params)
    return payment.kind === 'payment'
      ? sendPayment(request, reply, payment)
      : sendUnknownPayment(request, reply, payment.found)
  })

  app.get<PaymentByToken>('/:slug/payments/:token/status', async (request) => {
    const { row } = await requirePaymentByToken(needs, request.params)
    return { state: getPaymentState(row, needs.now()), version: row.updatedAt }
  })
}

async function paymentActionRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { redirectToPayment } = createPaymentReplies(app, needs)

  /** The payer is back from the bank: asked at once, instead of waiting for the notification. */
  app.post<PaymentByToken>('/:slug/payments/:token/check', async (request) => {
    const { row } = await requirePaymentByToken(needs, request.params)
    const isChecked = IN_PROGRESS_STATUSES.includes(row.status) && !(await isCheckedTooOften(row))
    const current = isChecked ? await checkPaymentNow(row) : row
    return { state: getPaymentState(current, needs.now()), version: current.updatedAt }
  })

  app.post<PaymentByToken>('/:slug/payments/:token/renew', async (request, reply) => {
    const { row, found } = await requirePaymentByToken(needs, request.params)
    // The code may have been paid a moment ago: then there is nothing to pay again.
    const isOver = isRenewable(row) && isRenewable(await checkPayment(needs, row))
    if (!isOver) return redirectToPayment(reply, request.params)

    const { body, ip: address } = request
    const paid = await renewPix(needs, found, row, { body, address, t: resolveTexts(request) })
    const { slug } = request.params
    if (paid.kind === 'payment') return redirectToPayment(reply, { slug, token: paid.token })
    if (paid.kind === 'retry' && paid.retryAfterSeconds) {
      throw tooManyRequestsError(paid.retryAfterSeconds, paid.message)
    }
    return reply.redirect(newPaymentPath(needs, slug), 303)
  })

  app.post<PaymentByToken>('/:slug/payments/:token/simulate', async (request, reply) => {
    const { row } = await requirePaymentByToken(needs, request.params)
    await simulatePayment(needs, row)
    return redirectToPayment(reply, request.params)
  })

  /** Where the provider does not answer, the reconciler asks again. */
  async function checkPaymentNow(row: TransactionRow) {
    return checkPayment(needs, row).catch((err: unknown) => {
      needs.log.warn({ err, transactionId: row.id }, 'a payment could not be checked')
      return row
    })
  }

  async function isCheckedTooOften({ id }: TransactionRow) {
    return (await needs.limiter.countHit(`check:${id}`, CHECK_LIMIT)).exceeded
  }

  function isRenewable(row: TransactionRow) {
    return ['expired', 'canceled'].includes(getPaymentState(row, needs.now()))
  }
}

/** What a form is answered with, opened once more as phones do with their tabs. */
function refusalPageRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { redirectToPayment } = createPaymentReplies(app, needs)

  app.get<LinkRoute>('/:slug/payments', async (request, reply) =>
    reply.redirect(linkPath(needs, request.params.slug), 303),
  )
  for (const action of ['renew', 'simulate']) {
    app.get<PaymentByToken>(`/:slug/payments/:token/${action}`, async (request, reply) =>
      redirectToPayment(reply, request.params),
    )
  }
}
