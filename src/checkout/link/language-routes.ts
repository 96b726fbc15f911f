// Shows the form in another language, with the typed values, which the page's script sends.
import type { FastifyInstance } from 'fastify'
import { BLANK_VALUES, readTypedValues, resolveFormAttempt } from '../form.ts'
import { resolveTexts } from '../language.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { linkPath } from '../paths.ts'
import { buildShownQuery } from './new-form.ts'
import { createLinkReplies } from './replies.ts'
import { isPayable } from './unavailable.ts'

type LinkRoute = { Params: { slug: string } }

export async function languageRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { sendForm, sendUnknown, sendUnpayable } = createLinkReplies(needs)

  app.post<LinkRoute>('/:slug/language', async (request, reply) => {
    const found = await needs.findLink(request.params.slug)
    if (!found) return sendUnknown(request, reply, request.params.slug)
    const now = needs.now()
    if (!isPayable(found, now)) return sendUnpayable(request, reply, found)
    const attempt = resolveFormAttempt(request.body, now)
    const values = readTypedValues(request.body, BLANK_VALUES)
    const query = buildShownQuery({ attempt, values, now })
    const form = { attempt, values, errors: [], notice: null, query }
    return sendForm(reply, found, { ...form, t: resolveTexts(request) })
  })

  // For a browser that opens this address again.
  app.get<LinkRoute>('/:slug/language', (request, reply) =>
    reply.redirect(linkPath(needs, request.params.slug), 303),
  )
}
