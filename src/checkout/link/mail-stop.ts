// The page that stops e-mails about a link to one address. Opening it stops nothing, since mail programs open links by
// themselves; its button does, and so does the POST of a mail program's own button (RFC 8058).
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sql } from '../../database/drizzle.ts'
import { linkRecipients } from '../../database/tables.ts'
import { notFoundError } from '../../http/errors.ts'
import { buildContentPolicy } from '../../http/html.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { findRecipient, stopMails } from '../../payment-links/sending/recipients.ts'
import { resolveTexts, sendTranslatedPage } from '../language.ts'
import { buildCheckoutLayout, listPictures, toLinkSummary } from '../layout.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { linkPath, mailStopPath } from '../paths.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import type { MailStopViewModel } from '../view-models.ts'

type MailStopRoute = { Params: { slug: string; token: string } }

const PATH = '/:slug/emails/:token'

export async function mailStopRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  // What a mail program's button sends says nothing that matters.
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, async () => null)

  app.get<MailStopRoute>(PATH, async (request, reply) => {
    const { found, recipient } = await requireRecipient(request.params)
    const isStopped = recipient.stoppedAt !== null
    return sendStopPage(reply, found, recipient.token, { t: resolveTexts(request), isStopped })
  })

  app.post<MailStopRoute>(PATH, async (request, reply) => {
    const { found, recipient } = await requireRecipient(request.params)
    await stopMails(needs.db, recipient.id, needs.now())
    return sendStopPage(reply, found, recipient.token, {
      t: resolveTexts(request),
      isStopped: true,
    })
  })

  async function requireRecipient({ slug, token }: MailStopRoute['Params']) {
    const found = await needs.findLink(slug)
    const named = sql`${linkRecipients.token} = ${token.replaceAll('\0', '')}`
    const recipient = found && (await findRecipient(needs.db, named))
    if (!found || recipient?.linkId !== found.link.id) throw notFoundError()
    return { found, recipient }
  }

  function sendStopPage(
    reply: FastifyReply,
    { link, company }: LinkWithCompany,
    token: string,
    { t, isStopped }: { t: CheckoutTexts; isStopped: boolean },
  ) {
    const { asset } = needs
    const { testMode } = company
    const address = mailStopPath(needs, link.slug, token)
    const page: MailStopViewModel = {
      ...buildCheckoutLayout(company, { asset, t, address, testMode, reportUrl: null }),
      link: toLinkSummary(needs, link, t),
      action: address,
      backUrl: linkPath(needs, link.slug),
      isStopped,
    }
    const parts = { style: page.merchant.brandStyle, pictures: listPictures(page) }
    reply.header('content-security-policy', buildContentPolicy(parts))
    return sendTranslatedPage(reply, 'checkout/link/mail-stop', page)
  }
}
