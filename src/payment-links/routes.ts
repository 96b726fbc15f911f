import { type Routes, refuseShape } from '../http/zod.ts'
import { findNewLinkErrors } from './field-errors.ts'
import { LinkParams } from './field-notes.ts'
import { createPaymentLink, requirePaymentLink } from './payment-link.ts'
import { loadLinkTotals } from './payments.ts'
import { buildPrefilledUrl } from './prefill.ts'
import { NewPaymentLink, PaymentLink, PaymentLinkWithTotals } from './schema.ts'
import { serializePaymentLink } from './serialize.ts'

const tags = ['Payment links']

export const paymentLinkRoutes: Routes = async (app, needs) => {
  const { db, cipher, checkoutUrl, now } = needs
  app.post(
    '/payment-links',
    {
      config: { resource: 'payment-links' },
      attachValidation: true,
      schema: {
        summary: 'Criar um link',
        description:
          'Bastam um título, um preço e as formas de pagamento. Compartilhe a `url` da resposta com quem paga. 422 `method_unavailable` enquanto, no ambiente real, ninguém recebe por uma das formas.',
        operationId: 'createPaymentLink',
        tags,
        body: NewPaymentLink,
        response: {
          201: PaymentLink,
        },
      },
    },
    async (request, reply) => {
      const at = now()
      await refuseShape(request, NewPaymentLink, (right) =>
        findNewLinkErrors(db, request.company, right, at),
      )
      const { link } = await createPaymentLink(db, request.company, request.body, {
        id: request.resourceId,
        now: at,
      })
      reply.code(201).header('location', `/api/payment-links/${link.id}`)
      const { testMode } = request.company
      const shown = serializePaymentLink(link, { checkoutUrl, testMode, now: at })
      return { ...shown, ...buildPrefilledUrl(cipher, shown, request.body.prefill) }
    },
  )

  app.get(
    '/payment-links/:idOrSlug',
    {
      config: { resource: 'payment-links' },
      schema: {
        summary: 'Consultar um link',
        description: 'Com quantas vezes foi pago e quanto rendeu.',
        operationId: 'getPaymentLink',
        tags,
        params: LinkParams,
        response: { 200: PaymentLinkWithTotals },
      },
    },
    async (request) => {
      const { id: companyId, testMode } = request.company
      const link = await requirePaymentLink(db, companyId, request.params.idOrSlug)
      return {
        ...serializePaymentLink(link, { checkoutUrl, testMode, now: now() }),
        ...(await loadLinkTotals(db, link)),
      }
    },
  )
}
