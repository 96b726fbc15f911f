import type { Routes } from '../../http/zod.ts'
import { LinkParams } from '../field-notes.ts'
import { requirePaymentLink } from '../payment-link.ts'
import { LinkSending, NewSending } from './schema.ts'
import { type SendNeeds, sendLink } from './send.ts'

export const linkSendingRoutes: Routes<SendNeeds> = async (app, needs) => {
  app.post(
    '/payment-links/:idOrSlug/send',
    {
      config: { resource: 'payment-links' },
      schema: {
        summary: 'Enviar um link por e-mail',
        description:
          'Ao cliente do link ou a um endereço, no idioma de quem paga, em nome da empresa. 409 `link_not_payable` quando o link não pode ser pago, `email_unavailable` quando este servidor não envia e-mails, `recipient_stopped` quando quem lê pediu para parar. O mesmo link vai ao mesmo endereço uma vez em dez minutos, e os de uma empresa são no máximo 1.000 em um dia: depois, 429 com `Retry-After`.',
        operationId: 'sendPaymentLink',
        tags: ['Payment links'],
        params: LinkParams,
        body: NewSending.nullish(),
        response: { 200: LinkSending },
      },
    },
    async ({ company, params, body, resourceId: id }) => {
      const link = await requirePaymentLink(needs.db, company.id, params.idOrSlug)
      return sendLink(needs, company, link, { email: body?.email, id, now: needs.now() })
    },
  )
}
