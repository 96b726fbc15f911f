// A payer at a payment's own page, whatever state it is in.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound, tooManyRequests } from '../../http/errors.ts'
import { contentPolicy, sendPage } from '../../http/html.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { paySandboxPix } from '../../providers/sandbox/sandbox.ts'
import { checkPayment } from '../../transactions/pay.ts'
import { findTransactionByToken, type TransactionRow } from '../../transactions/transaction.ts'
import { getChallengeOrigins } from '../link/card-fields.ts'
import type { CheckoutNeeds } from '../link/routes.ts'
import { buildPaymentViewModel, getPaymentState } from './page.ts'
import { renewPix } from './pay.ts'
import { createQrDrawer } from './qr.ts'
import { buildReturnRedirect } from './redirect.ts'

const CHECK_LIMIT = { max: 20, windowMs: 60_000 }
const IN_PROGRESS: TransactionRow['status'][] = ['awaiting_authentication', 'processing']

type PaymentRoute = { Params: { slug: string; token: string } }

export async function paymentRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { db, mount } = needs
  const pageNeeds = {
    ...needs,
    drawQr: createQrDrawer(),
    returnTo: (row: TransactionRow, found: LinkWithCompany, now: Date) =>
      buildReturnRedirect(needs.seal, row, found, now),
  }

  app.get<PaymentRoute>('/:slug/payments/:token', async (request, reply) => {
    const { row, found } = await find(request.params)
    const page = buildPaymentViewModel(pageNeeds, row, found, needs.now())
    const policy = contentPolicy({
      style: page.merchant.brandStyle,
      ...(page.state === 'challenge' && getChallengeOrigins(row.provider)),
    })
    reply.header('content-security-policy', policy)
    return sendPage(app, reply, 'checkout/payment', page)
  })

  app.get<PaymentRoute>('/:slug/payments/:token/status', async (request) => {
    const { row } = await find(request.params)
    return { state: getPaymentState(row, needs.now()), version: row.updatedAt }
  })

  /** The payer is back from the bank: asked at once, instead of waiting for the provider's news. */
  app.post<PaymentRoute>('/:slug/payments/:token/check', async (request) => {
    const { row } = await find(request.params)
    const asks = IN_PROGRESS.includes(row.status)
    const current =
      asks && !(await isTooOften(row)) ? await checkPayment(needs, row).catch(told(row)) : row
    return { state: getPaymentState(current, needs.now()), version: current.updatedAt }
  })

  app.post<PaymentRoute>('/:slug/payments/:token/renew', async (request, reply) => {
    const { row, found } = await find(request.params)
    // The code may have been paid a moment ago: then there is nothing to pay again.
    const over = isOver(row) && isOver(await checkPayment(needs, row))
    if (!over) return seePayment(reply, request.params)

    const { body, ip: address } = request
    const paid = await renewPix(needs, found, row, { body, address })
    const { slug } = request.params
    if (paid.kind === 'payment') return seePayment(reply, { slug, token: paid.token })
    if (paid.kind === 'again' && paid.retryAfterSeconds) {
      throw tooManyRequests(paid.retryAfterSeconds, paid.message)
    }
    return reply.redirect(`${mount}/${slug}?new=1`, 303)
  })

  app.post<PaymentRoute>('/:slug/payments/:token/simulate', async (request, reply) => {
    const { row } = await find(request.params)
    if (row.provider !== 'sandbox' || row.method !== 'pix') throw notFound()
    const { id: transactionId, totalCents: amountCents } = row
    await paySandboxPix(db, { transactionId, amountCents }, needs.now())
    await checkPayment(needs, row)
    return seePayment(reply, request.params)
  })

  async function find({ slug, token }: PaymentRoute['Params']) {
    const [row, found] = await Promise.all([
      findTransactionByToken(db, token),
      needs.findLink(slug),
    ])
    if (!row || !found || row.paymentLinkId !== found.link.id) throw notFound()
    return { row, found }
  }

  async function isTooOften({ id }: TransactionRow) {
    return (await needs.limiter.hit(`check:${id}`, CHECK_LIMIT)).exceeded
  }

  /** The reconciler asks again. */
  function told(row: TransactionRow) {
    return (err: unknown) => {
      needs.log.warn({ err, transactionId: row.id }, 'a payment could not be checked')
      return row
    }
  }

  function isOver(row: TransactionRow) {
    return ['expired', 'canceled'].includes(getPaymentState(row, needs.now()))
  }

  function seePayment(reply: FastifyReply, { slug, token }: PaymentRoute['Params']) {
    return reply.redirect(`${mount}/${slug}/payments/${token}`, 303)
  }
}
