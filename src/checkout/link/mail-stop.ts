// The page that stops e-mails about a link to one address. Opening it stops nothing, since mail programs open links by
// themselves; its button does, and so does the POST of a mail program's own button (RFC 8058).
import type { FastifyInstance } from 'fastify'
import { sql } from '../../database/drizzle.ts'
import { linkRecipients } from '../../database/tables.ts'
import { notFoundError } from '../../http/errors.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { findRecipient, stopMails } from '../../payment-links/sending/recipients.ts'
import { resolveTexts } from '../language.ts'
import { buildLinkPage, sendCheckoutPage } from '../layout.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { mailStopPath } from '../paths.ts'
import type { CheckoutTexts } from '../texts/pt.ts'

type MailStopRoute = { Params: { slug: string; token: string } }

const PATH = '/:slug/emails/:token'

export async function mailStopRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  // What a mail program's button sends says nothing that matters.
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, async () => null)

  app.get<MailStopRoute>(PATH, async (request, reply) => {
    const { found, recipient } = await requireRecipient(request.params)
    const isStopped = recipient.stoppedAt !== null
    const state = { token: recipient.token, t: resolveTexts(request), isStopped }
    return sendCheckoutPage(reply, 'checkout/link/mail-stop', buildStopPage(needs, found, state))
  })

  app.post<MailStopRoute>(PATH, async (request, reply) => {
    const { found, recipient } = await requireRecipient(request.params)
    await stopMails(needs.db, recipient.id, needs.now())
    const state = { token: recipient.token, t: resolveTexts(request), isStopped: true }
    return sendCheckoutPage(reply, 'checkout/link/mail-stop', buildStopPage(needs, found, state))
  })

  async function requireRecipient({ slug, token }: MailStopRoute['Params']) {
    const found = await needs.findLink(slug)
    const named = sql`${linkRecipients.token} = ${token.replaceAll('\0', '')}`
    const recipient = found && (await findRecipient(needs.db, named))
    if (!found || recipient?.linkId !== found.link.id) throw notFoundError()
    return { found, recipient }
  }
}

export function buildStopPage(
  needs: CheckoutNeeds,
  found: LinkWithCompany,
  { token, t, isStopped }: { token: string; t: CheckoutTexts; isStopped: boolean },
) {
  const address = mailStopPath(needs, found.link.slug, token)
  return { ...buildLinkPage(needs, found, { t, address }), isStopped }
}
