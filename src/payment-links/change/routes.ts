import { z } from 'zod'
import type { Database } from '../../database/connect.ts'
import { toPlainSpaces } from '../../format.ts'
import { findReadOnlyErrors } from '../../http/fields.ts'
import { type Routes, refuseShape } from '../../http/zod.ts'
import { LinkParams } from '../field-notes.ts'
import { formatInstallment, formatPixPrice, quoteLink, quotePix } from '../installments.ts'
import { findPaymentLink, type LinkRow, requirePaymentLink } from '../payment-link.ts'
import { loadLinkTotals } from '../payments.ts'
import {
  echoedLinkFields,
  Installments,
  PaymentLinkChanges,
  PaymentLinkWithTotals,
} from '../schema.ts'
import { type LinkContext, serializePaymentLink } from '../serialize.ts'
import { archivePaymentLink, updatePaymentLink } from './change.ts'
import { findLinkChangeErrors } from './merge.ts'

const tags = ['Payment links']
const params = LinkParams
const config = { resource: 'payment-links' } as const

const UPDATE_LINK_SCHEMA = {
  summary: 'Alterar um link',
  description:
    'Só mudam os campos do corpo; null esvazia os que podem ficar vazios. Um `maxPayments` ' +
    'maior reabre um link concluído; um `expiresAt` mais tarde, um expirado; `status`, um arquivado, ' +
    'que volta como `expired` ou `completed` quando o prazo passou ou já recebeu tudo. ' +
    'Sem `status`, um arquivado é 409 `link_archived`; ativar um que não pode é 409 `invalid_transition`; ' +
    'uma forma que ninguém recebe é 422 `method_unavailable`.',
  operationId: 'updatePaymentLink',
  tags,
  params,
  body: PaymentLinkChanges,
  response: { 200: PaymentLinkWithTotals },
}

const ARCHIVE_LINK_SCHEMA = {
  summary: 'Arquivar um link',
  description:
    'Ninguém pode pagá-lo, a não ser quem já viu um código Pix, até que um PATCH com `status` o traga ' +
    'de volta. As transações ficam.',
  operationId: 'archivePaymentLink',
  tags,
  params,
  response: { 204: z.null() },
}

const LIST_INSTALLMENTS_SCHEMA = {
  summary: 'Ver o que um pagador pode escolher',
  description:
    'As parcelas do cartão e o preço no Pix, como a página de pagamento os mostra. Onde o provedor diz os juros, há ' +
    'aqui só 1x: as outras parcelas dependem do cartão.',
  operationId: 'listPaymentLinkInstallments',
  tags,
  params,
  response: { 200: Installments },
}

export const linkChangeRoutes: Routes = async (app, needs) => {
  const { db, checkoutUrl, now } = needs

  app.patch(
    '/payment-links/:idOrSlug',
    { config, schema: UPDATE_LINK_SCHEMA, attachValidation: true },
    async (request) => {
      const { company, params, body } = request
      const at = now()
      const context = { checkoutUrl, testMode: company.testMode, now: at }
      await refuseShape(request, PaymentLinkChanges, async (right) => {
        const link = await findPaymentLink(db, company.id, params.idOrSlug)
        if (!link) return []
        const readOnly = await findReadOnlyChangeErrors(db, link, right, context)
        return [...readOnly, ...(await findLinkChangeErrors(db, company, link, right, at))]
      })
      const link = await requirePaymentLink(db, company.id, params.idOrSlug)
      const errors = await findReadOnlyChangeErrors(db, link, body, context)
      const changed = await updatePaymentLink(db, company, link, body, at, { errors })
      return { ...serializePaymentLink(changed, context), ...(await loadLinkTotals(db, link)) }
    },
  )

  app.delete(
    '/payment-links/:idOrSlug',
    { config, schema: ARCHIVE_LINK_SCHEMA },
    async ({ company, params: { idOrSlug } }, reply) => {
      const link = await requirePaymentLink(db, company.id, idOrSlug)
      await archivePaymentLink(db, link.id, now())
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/payment-links/:idOrSlug/installments',
    { config, schema: LIST_INSTALLMENTS_SCHEMA },
    async ({ company, params: { idOrSlug } }) => {
      const link = await requirePaymentLink(db, company.id, idOrSlug)
      const quotes = link.methods.includes('credit_card') ? quoteLink(link, company) : []
      const data = quotes.map((quote) => {
        const { rateBps: interestRateBps, ...amounts } = quote
        return { ...amounts, interestRateBps, text: toPlainSpaces(formatInstallment(quote)) }
      })
      const pix = link.methods.includes('pix') ? quotePix(link, company) : null
      return { data, pix: pix && { ...pix, text: toPlainSpaces(formatPixPrice(pix)) } }
    },
  )
}

/** Finds changes of read-only fields, which would otherwise be ignored silently. */
async function findReadOnlyChangeErrors(
  db: Database,
  link: LinkRow,
  changes: PaymentLinkChanges,
  context: LinkContext,
) {
  const shown = serializePaymentLink(link, context)
  const wrong = findReadOnlyErrors(echoedLinkFields, changes, shown)
  if (wrong.length === 0) return wrong
  const totals = await loadLinkTotals(db, link)
  return findReadOnlyErrors(echoedLinkFields, changes, { ...shown, ...totals })
}
