// Shows the form in another language, with the typed values, which the page's script sends.
import type { FastifyInstance } from 'fastify'
import type { CheckoutNeeds } from '../needs.ts'
import { linkPath } from '../paths.ts'
import { readSentForm } from './new-form.ts'
import { createLinkReplies } from './replies.ts'
import { isPayable } from './unavailable.ts'

type LinkRoute = { Params: { slug: string } }

export async function languageRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { sendForm, sendUnknown, sendUnpayable } = createLinkReplies(needs)

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
}
