import { buildProblemBody } from '../../http/errors.ts'
import type { Routes } from '../../http/zod.ts'
import { buildPrefilledUrl } from '../prefill.ts'
import { serializePaymentLink } from '../serialize.ts'
import { createPaymentLinks } from './create.ts'
import { NewPaymentLinkBatch, PaymentLinkBatch } from './schema.ts'

/** Two kilobytes for each of 500 links. */
const BATCH_BODY_BYTES = 1_048_576

export const linkBatchRoutes: Routes = async (app, needs) => {
  const { db, cipher, baseUrl, checkoutUrl, now } = needs
  app.post(
    '/payment-links/batch',
    {
      bodyLimit: BATCH_BODY_BYTES,
      config: { resource: 'payment-links' },
      schema: {
        summary: 'Criar até 500 links de uma vez',
        description:
          'Cada link é julgado pelas regras de um só e respondido no seu lugar: com `status` 201 e o link, ou com o motivo da recusa. Os que passam são criados juntos. Conta como uma requisição, o corpo pode ter 1 MB, e uma `Idempotency-Key` vale para tudo. O que parece um número de cartão, em qualquer lugar, recusa o lote inteiro.',
        operationId: 'createPaymentLinks',
        tags: ['Payment links'],
        body: NewPaymentLinkBatch,
        response: { 200: PaymentLinkBatch },
      },
    },
    async (request): Promise<PaymentLinkBatch> => {
      const { company, body, resourceId } = request
      const at = now()
      const made = { id: resourceId, now: at }
      const results = await createPaymentLinks(db, company, body.paymentLinks, made)
      const context = { checkoutUrl, testMode: company.testMode, now: at }
      const created = results.filter(({ kind }) => kind === 'created').length
      request.isRefused = created === 0
      return {
        data: results.map((result) => {
          if (result.kind === 'created') {
            const shown = serializePaymentLink(result.link, context)
            const prefilled = buildPrefilledUrl(cipher, shown, result.prefill)
            return { status: 201, paymentLink: { ...shown, ...prefilled } }
          }
          const { code } = result.refusal
          const { message, type, errors = [] } = buildProblemBody(result.refusal, baseUrl)
          return { status: 422, code, type, message, errors }
        }),
        created,
        refused: results.length - created,
      }
    },
  )
}
