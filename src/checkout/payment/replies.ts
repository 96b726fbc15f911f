// The answers about a payment: its page, or a redirect to it.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LinkRow, LinkWithCompany } from '../../payment-links/payment-link.ts'
import { giveUpSuperseded } from '../../transactions/give-up.ts'
import { loadSurplusLeft } from '../../transactions/incoming/incoming-payment.ts'
import { isCardRefused, type TransactionRow } from '../../transactions/transaction.ts'
import { getChallengeOrigins } from '../card-entry.ts'
import { resolveTexts } from '../language.ts'
import { sendCheckoutPage } from '../layout.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { isOnItsWay, onwardPath, paymentPath } from '../paths.ts'
import { limitUnknownAddresses } from '../unknown-address.ts'
import { acknowledgeApproval, addAttempt, listSuperseded, recallVisit } from '../visit.ts'
import { buildVisitCookie, readAttempts } from '../visit-cookie.ts'
import type { FoundPayment, PaymentByToken } from './find.ts'
import { buildPaymentViewModel, buildUnknownPaymentViewModel } from './page.ts'

type PaymentAddress = PaymentByToken['Params']

export function createPaymentReplies(needs: CheckoutNeeds) {
  async function sendPayment(
    request: FastifyRequest,
    reply: FastifyReply,
    { row, found }: FoundPayment,
  ) {
    const surplusCents = row.approvedAt ? await loadSurplusLeft(needs.db, row) : 0
    const isCardOpen = row.status !== 'declined' || !(await isCardOfRowRefused(row))
    const now = needs.now()
    const { link } = found
    const { isFirstSeen, attempts } = acknowledgeApproval(request, row, { link, now })
    if (attempts) reply.header('set-cookie', buildVisitCookie(needs, link.slug, attempts))
    if (isFirstSeen) await giveUpOthers(needs, request, { row, link })
    const known = { now, t: resolveTexts(request), surplusCents, isCardOpen, isFirstSeen }
    const page = buildPaymentViewModel(needs, row, found, {
      ...known,
      isOnItsWay: isOnItsWay(request.query),
    })
    const policy = page.state === 'challenge' ? getChallengeOrigins(row.provider) : {}
    return sendCheckoutPage(reply, 'checkout/payment/page', page, policy)
  }

  async function sendUnknownPayment(
    request: FastifyRequest,
    reply: FastifyReply,
    found: LinkWithCompany | undefined,
  ) {
    // An unknown payment at a known link counts as a guess too.
    await limitUnknownAddresses(needs, request)
    const page = buildUnknownPaymentViewModel(needs, found, {
      t: resolveTexts(request),
      address: request.url.replace(/\?.*/, ''),
    })
    return sendCheckoutPage(reply.code(404), 'checkout/payment/unknown', page)
  }

  /** Whether the form would refuse this card; a link that is shown works. */
  async function isCardOfRowRefused(row: TransactionRow) {
    const { paymentLinkId, payerTaxId: taxId, cardBrand: brand, cardLast4: last4 } = row
    if (!taxId || !brand || !last4) return false
    return isCardRefused(needs.db, { paymentLinkId, taxId, brand, last4 }, needs.now())
  }

  function redirectToPayment(reply: FastifyReply, { slug, token }: PaymentAddress) {
    return reply.redirect(paymentPath(needs, slug, token), 303)
  }

  return {
    sendPayment,
    sendUnknownPayment,
    redirectToPayment,

    /**
     * Redirects to the page of the new payment, which the browser's cookie keeps from now on; with `onward`, that page
     * leads to the provider's page, if the payment is paid there.
     */
    answerPayer(
      request: FastifyRequest,
      reply: FastifyReply,
      { link }: LinkWithCompany,
      { token, attemptToken, status, challengeUrl }: TransactionRow,
      way: 'onward' | 'here' = 'here',
    ) {
      const { slug } = link
      const attempts = addAttempt(request, link, attemptToken)
      reply.header('set-cookie', buildVisitCookie(needs, slug, attempts))
      const isOnward = way === 'onward' && status === 'pending' && challengeUrl !== null
      const path = isOnward ? onwardPath(needs, slug, token) : paymentPath(needs, slug, token)
      return reply.redirect(path, 303)
    },
  }
}

type PaidByRow = { row: TransactionRow; link: LinkRow }

/** Payers who have paid must not be asked to confirm another payment. */
async function giveUpOthers(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  { row: { attemptToken }, link }: PaidByRow,
) {
  const others = readAttempts(request, link.slug).filter(({ token }) => token !== attemptToken)
  if (others.length === 0) return
  const visit = await recallVisit(request, { db: needs.db, link, now: needs.now() })
  await giveUpSuperseded(needs, link, listSuperseded(visit, attemptToken))
}
