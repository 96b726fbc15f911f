// The form in another language, with what was typed: the page's script sends it here.
import type { FastifyInstance } from 'fastify'
import { newToken } from '../../database/id.ts'
import { readAttemptToken, readTypedValues } from '../form.ts'
import { resolveTexts } from '../language.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { buildNewQuery, linkPath } from '../paths.ts'
import { BLANK_VALUES } from './blank.ts'
import { createLinkReplies } from './replies.ts'
import { isPayable } from './routes.ts'

type LinkRoute = { Params: { slug: string } }

export async function languageRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { sendForm, sendUnknown, sendUnpayable } = createLinkReplies(app, needs)

  app.post<LinkRoute>('/:slug/language', async (request, reply) => {
    const found = await needs.findLink(request.params.slug)
    if (!found) return sendUnknown(request, reply, request.params.slug)
    if (!isPayable(found, needs.now())) return sendUnpayable(request, reply, found)
    const attempt = readAttemptToken(request.body) ?? newToken()
    const values = readTypedValues(request.body, BLANK_VALUES)
    const form = { attempt, values, errors: [], notice: null, query: buildNewQuery(needs.now()) }
    return sendForm(reply, found, { ...form, t: resolveTexts(request) })
  })

  // That page opened once more.
  app.get<LinkRoute>('/:slug/language', (request, reply) =>
    reply.redirect(linkPath(needs, request.params.slug), 303),
  )
}
