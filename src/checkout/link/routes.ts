// The routes of a link: its page, the form, also in another language, and the pages for links that cannot be paid.

import type { FastifyInstance } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { toRecord } from '../../http/fields.ts'
import { isImageFile, sendImage } from '../../http/image.ts'
import { buildNetworkLimits, countHits } from '../../http/limiter.ts'
import { findLinkImage } from '../../payment-links/image.ts'
import { findLinkBySlug, getLinkStatus } from '../../payment-links/payment-link.ts'
import type { CheckoutNeeds, FindLink } from '../needs.ts'
import { linkPath, paymentPath, readKnownMs } from '../paths.ts'
import { payLink } from '../payment/pay.ts'
import { createPaymentReplies } from '../payment/replies.ts'
import { addSealedDocument } from '../sealed-prefill.ts'
import { findNewer, findNewerThanForm, recallVisit } from '../visit.ts'
import { createCardDataReply } from './card-data.ts'
import { openNewForm, readSentForm } from './new-form.ts'
import { renewalRoute } from './renewal-route.ts'
import { createLinkReplies } from './replies.ts'
import { isPayable } from './unavailable.ts'

type LinkRoute = { Params: { slug: string } }
type LinkImageRoute = { Params: { slug: string; file: string } }

export async function checkoutLinkRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { db } = needs
  const replies = createLinkReplies(needs)
  const { sendForm, sendRefusal, sendUnknown, sendUnpayable } = replies
  const { answerPayer } = createPaymentReplies(needs)
  const showCardData = createCardDataReply(needs, replies)

  // What its address brings along is read, or passed over, one by one (new-form.ts).
  app.get<LinkRoute>('/:slug', { config: { mayHoldCardData: true } }, async (request, reply) => {
    const { slug } = request.params
    const found = await needs.findLink(slug)
    const meant = found ? undefined : await findMeant(needs, slug)
    if (meant) return reply.redirect(linkPath(needs, meant.link.slug), 302)
    if (!found) return sendUnknown(reply, slug)

    const now = needs.now()
    const visit = await recallVisit(request, { db, now, link: found.link })
    const newer = findNewer(visit, readKnownMs(request.query))
    if (newer) return reply.redirect(paymentPath(needs, slug, newer.token), 303)
    if (!isPayable(found, now)) return sendUnpayable(reply, found)

    const { link } = found
    const form = openNewForm(needs, request, { reply, link, visit, query: toRecord(request.query) })
    return sendForm(reply, found, form)
  })

  app.post<LinkRoute>('/:slug/payments', { errorHandler: showCardData }, async (request, reply) => {
    const shown = await needs.findLink(request.params.slug)
    if (!shown) return sendUnknown(reply, request.params.slug)
    const now = needs.now()
    const form = readSentForm(request, now)
    const visited = { db, now, link: shown.link }
    const { newer, supersedes } = await findNewerThanForm(request, form.attempt, visited)
    if (newer) return answerPayer(request, reply, shown, newer)
    const filled = addSealedDocument(needs, request, shown.link)
    const submission = { ...filled, address: request.ip, supersedes, t: form.t }
    const { paid, found } = await payLink(needs, shown, submission)
    if (paid.kind === 'payment') return answerPayer(request, reply, found, paid.row, 'onward')
    return sendRefusal(reply, found, form, paid)
  })

  // In another language, with the typed values, which the page's script sends.
  app.post<LinkRoute>('/:slug/language', async (request, reply) => {
    const found = await needs.findLink(request.params.slug)
    if (!found) return sendUnknown(reply, request.params.slug)
    const now = needs.now()
    if (!isPayable(found, now)) return sendUnpayable(reply, found)
    return sendForm(reply, found, readSentForm(request, now))
  })
  // For a browser that opens this address again.
  app.get<LinkRoute>('/:slug/language', (request, reply) =>
    reply.redirect(linkPath(needs, request.params.slug), 303),
  )

  renewalRoute(app, needs, replies)

  app.get<LinkImageRoute>('/:slug/image/:file', async ({ params: { slug, file } }, reply) => {
    const found = isImageFile(file) ? await needs.findLink(slug) : undefined
    const image = found?.link.imageHash ? await findLinkImage(db, found.link.id) : undefined
    return sendImage(reply, image, file)
  })
}

// The format of slugs; links are read at each request.
const SLUG_FORMAT = /^[2-9A-HJ-NP-Za-km-z]{10}$/
const SLUG_LENGTH = 10

/** Finds the link of an address that was copied with a mark behind it: `(…/k7Pm3XwQzt).` */
async function findMeant({ findLink }: CheckoutNeeds, copied: string) {
  const [slug, behind = ''] = [copied.slice(0, SLUG_LENGTH), copied[SLUG_LENGTH]]
  return /^[^0-9A-Za-z]$/.test(behind) ? findLink(slug) : undefined
}

/** Invalid slugs never reach the database. */
export function createLinkFinder(db: Database): FindLink {
  return async (slug) => (SLUG_FORMAT.test(slug) ? findLinkBySlug(db, slug) : undefined)
}

// The page reports once when a payer starts to fill in the form.

/** A network may have many payers; a single caller who inflates the figures is ignored. */
const BEGUN_LIMIT = { max: 30, windowMs: MINUTE_MS }

export async function visitRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  app.post<{ Params: { slug: string } }>('/:slug/begun', async ({ params, ip }, reply) => {
    const limits = buildNetworkLimits('begun', ip, BEGUN_LIMIT)
    const { exceeded } = await countHits(needs.limiter, limits)
    const found = exceeded ? undefined : await needs.findLink(params.slug)
    if (found && getLinkStatus(found.link, needs.now()) === 'active')
      needs.visits.countBegun(found.link.id)
    return reply.code(204).send()
  })
}
