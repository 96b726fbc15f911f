// Renews an expired Pix with a new code; if that is impossible, the link's form says why.

import type { FastifyInstance } from 'fastify'
import { checkPayment } from '../../transactions/check.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { resolveTexts } from '../language.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { readKnownMs, readShownPrice } from '../paths.ts'
import { type PaymentByToken, requirePaymentByToken } from '../payment/find.ts'
import { renewPix } from '../payment/pay.ts'
import { createPaymentReplies } from '../payment/replies.ts'
import { getPaymentState } from '../payment-state.ts'
import { findNewerThanPayment, listSuperseded, recallVisit } from '../visit.ts'
import { openNewForm } from './new-form.ts'
import type { createLinkReplies } from './replies.ts'
import { isPayable } from './unavailable.ts'

type LinkReplies = ReturnType<typeof createLinkReplies>

export function renewalRoute(
  app: FastifyInstance,
  needs: CheckoutNeeds,
  { sendRefusal, sendUnpayable }: LinkReplies,
) {
  const { db } = needs
  const { answerPayer, redirectToPayment } = createPaymentReplies(needs)

  app.post<PaymentByToken>('/:slug/payments/:token/renew', async (request, reply) => {
    const { row, found: shown } = await requirePaymentByToken(needs, request.params)
    // The code may have been paid just now: then there is nothing to pay again.
    const isOver = (one: TransactionRow) =>
      ['expired', 'canceled'].includes(getPaymentState(one, shown.link, needs.now()))
    if (!isOver(row) || !isOver(await checkPayment(needs, row)))
      return redirectToPayment(reply, request.params)
    const visited = { db, link: shown.link, now: needs.now() }
    const addressMs = readKnownMs(request.query)
    const newer = await findNewerThanPayment(request, row, { ...visited, addressMs })
    if (newer) return redirectToPayment(reply, { ...request.params, token: newer.token })

    const t = resolveTexts(request)
    const supersedes = listSuperseded(await recallVisit(request, visited), row.attemptToken)
    const shownPixCents = readShownPrice(request.query)
    const renewal = { address: request.ip, supersedes, t, shownPixCents }
    const { paid, found } = await renewPix(needs, shown, row, renewal)
    if (paid.kind === 'payment') return answerPayer(request, reply, found, paid.row)

    const now = needs.now()
    if (!isPayable(found, now)) return sendUnpayable(reply, found)
    const { link } = found
    const visit = await recallVisit(request, { db, link, now })
    const query = { new: String(now.getTime()) }
    const form = openNewForm(needs, request, { reply, link, visit, query })
    return sendRefusal(reply, found, form, paid)
  })
}
