import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import { toPlainSpaces } from '../../format.ts'
import type { FieldError } from '../../http/errors.ts'
import { type Routes, refuseShape } from '../../http/zod.ts'
import { LinkParams } from '../field-notes.ts'
import { formatInstallment, quoteLink } from '../installments.ts'
import type { LinkRouteNeeds } from '../needs.ts'
import { findPaymentLink, type LinkRow, requirePaymentLink } from '../payment-link.ts'
import { sumPayments } from '../payments.ts'
import { Installments } from '../quote-schema.ts'
import { PaymentLink, PaymentLinkChanges, PaymentLinkWithTotals } from '../schema.ts'
import { serializePaymentLink } from '../serialize.ts'
import { archivePaymentLink, duplicatePaymentLink, updatePaymentLink } from './change.ts'
import { findLinkChangeErrors } from './merge.ts'
import { findReadOnlyChangeErrors, findReadOnlyCopyErrors } from './read-only.ts'

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

const DUPLICATE_LINK_SCHEMA = {
  summary: 'Duplicar um link',
  description:
    'O corpo troca campos do novo link, que nasce ativo e sem pagamentos. ' +
    'Um `expiresAt` que já passou não é copiado. Uma forma que ninguém recebe é 422 `method_unavailable`.',
  operationId: 'duplicatePaymentLink',
  tags,
  params,
  body: PaymentLinkChanges.nullish(),
  response: { 201: PaymentLink },
}

const LIST_INSTALLMENTS_SCHEMA = {
  summary: 'Ver as parcelas de um link',
  description: 'Vazia para um link que não aceita cartão.',
  operationId: 'listPaymentLinkInstallments',
  tags,
  params,
  response: { 200: Installments },
}

export const linkChangeRoutes: Routes<LinkRouteNeeds> = async (app, needs) => {
  const { db, checkoutUrl, now } = needs

  app.patch(
    '/payment-links/:idOrSlug',
    { config, schema: UPDATE_LINK_SCHEMA, attachValidation: true },
    async (request) => {
      const { company, params, body } = request
      const at = now()
      const context = { checkoutUrl, testMode: company.testMode, now: at }
      const findReadOnly: FindReadOnlyErrors = (_company, link, changes) =>
        findReadOnlyChangeErrors(db, link, changes, context)
      await refuseShapeOfChanges(db, request, at, findReadOnly)
      const link = await requirePaymentLink(db, company.id, params.idOrSlug)
      const errors = await findReadOnly(company, link, body)
      const changed = await updatePaymentLink(db, company, link, body, at, { errors })
      return { ...serializePaymentLink(changed, context), ...(await sumPayments(db, link)) }
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

  app.post(
    '/payment-links/:idOrSlug/duplicate',
    { config, schema: DUPLICATE_LINK_SCHEMA, attachValidation: true },
    async (request, reply) => {
      const { company, params, body, resourceId } = request
      const at = now()
      await refuseShapeOfChanges(db, request, at, findReadOnlyCopyErrors)
      const source = await requirePaymentLink(db, company.id, params.idOrSlug)
      const made = { id: resourceId, now: at }
      const link = await duplicatePaymentLink(db, company, source, body ?? {}, made)
      reply.code(201).header('location', `/api/payment-links/${link.id}`)
      return serializePaymentLink(link, { checkoutUrl, testMode: company.testMode, now: at })
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
      return { data }
    },
  )
}

type ChangeRequest = Pick<FastifyRequest, 'company' | 'body' | 'validationError'> & {
  params: z.output<typeof LinkParams>
}
type FindReadOnlyErrors = (
  company: Company,
  link: LinkRow,
  changes: PaymentLinkChanges,
) => FieldError[] | Promise<FieldError[]>

async function refuseShapeOfChanges(
  db: Database,
  request: ChangeRequest,
  at: Date,
  findReadOnly: FindReadOnlyErrors,
) {
  const { company, params } = request
  await refuseShape(request, PaymentLinkChanges, async (right) => {
    const link = await findPaymentLink(db, company.id, params.idOrSlug)
    if (!link) return []
    const readOnly = await findReadOnly(company, link, right)
    return [...readOnly, ...(await findLinkChangeErrors(db, company, link, right, at))]
  })
}
