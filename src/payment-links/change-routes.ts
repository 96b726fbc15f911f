import { z } from 'zod'
import type { Database } from '../database/connect.ts'
import { bodyRefusals, notFound, Problem, refusals } from '../http/errors.ts'
import type { Routes } from '../http/zod.ts'
import { texts } from '../texts.ts'
import { archivePaymentLink, changePaymentLink, duplicatePaymentLink } from './changes.ts'
import { installmentText, quotesFor } from './installments.ts'
import { findPaymentLink, sumPayments } from './payment-link.ts'
import { Installments } from './quote-schema.ts'
import { PaymentLink, PaymentLinkChanges, PaymentLinkWithTotals } from './schema.ts'
import { toWire } from './serialize.ts'

type Needs = { db: Database; checkoutUrl: string; now: () => Date }

const foundRefusals = { ...refusals, 404: Problem }
const changeRefusals = { ...bodyRefusals, 409: Problem }
const tags = ['Payment links']
const params = z.object({ idOrSlug: z.string() })
const config = { resource: 'payment-links' } as const

const CHANGE = {
  summary: 'Change a payment link',
  description:
    'Only the fields of the body change; null empties one that may be empty. A higher ' +
    '`maxPayments` reopens a completed link, a later `expiresAt` an expired one.',
  operationId: 'updatePaymentLink',
  tags,
  params,
  body: PaymentLinkChanges,
  response: { 200: PaymentLinkWithTotals, ...changeRefusals, ...foundRefusals },
}

const ARCHIVE = {
  summary: 'Archive a payment link',
  description:
    'Nobody can pay it any more, but for who was already shown a Pix code. Its transactions stay.',
  operationId: 'archivePaymentLink',
  tags,
  params,
  response: { 204: z.null(), ...foundRefusals },
}

const DUPLICATE = {
  summary: 'Make a new payment link like this one',
  description: 'The body overrides fields of the new link; without one it is an exact copy.',
  operationId: 'duplicatePaymentLink',
  tags,
  params,
  body: PaymentLinkChanges.nullish(),
  response: { 201: PaymentLink, ...changeRefusals, ...foundRefusals },
}

const INSTALLMENTS = {
  summary: 'List the installments that the checkout offers',
  description: 'Empty for a link that takes no cards.',
  operationId: 'listPaymentLinkInstallments',
  tags,
  params,
  response: { 200: Installments, ...foundRefusals },
}

export const linkChangeRoutes: Routes<Needs> = async (app, needs) => {
  const { db, checkoutUrl, now } = needs

  app.patch(
    '/payment-links/:idOrSlug',
    { config, schema: CHANGE },
    async ({ company, params: { idOrSlug }, body }) => {
      const at = now()
      const link = await find(company.id, idOrSlug)
      const changed = await changePaymentLink(db, company, link, body, at)
      return { ...toWire(changed, checkoutUrl, at), ...(await sumPayments(db, link.id)) }
    },
  )

  app.delete(
    '/payment-links/:idOrSlug',
    { config, schema: ARCHIVE },
    async ({ company, params: { idOrSlug } }, reply) => {
      const link = await find(company.id, idOrSlug)
      await archivePaymentLink(db, link.id, now())
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/payment-links/:idOrSlug/duplicate',
    { config, schema: DUPLICATE },
    async ({ company, params: { idOrSlug }, body, resourceId }, reply) => {
      const at = now()
      const source = await find(company.id, idOrSlug)
      const link = await duplicatePaymentLink(db, source, body ?? {}, { id: resourceId, now: at })
      reply.code(201).header('location', `/api/payment-links/${link.id}`)
      return toWire(link, checkoutUrl, at)
    },
  )

  app.get(
    '/payment-links/:idOrSlug/installments',
    { config, schema: INSTALLMENTS },
    async ({ company, params: { idOrSlug } }) => {
      const link = await find(company.id, idOrSlug)
      const quotes = link.methods.includes('credit_card') ? quotesFor(link, company) : []
      const data = quotes.map((quote) => {
        const { rateBps: interestRateBps, ...amounts } = quote
        return { ...amounts, interestRateBps, text: installmentText(quote) }
      })
      return { data }
    },
  )

  async function find(companyId: string, idOrSlug: string) {
    const link = await findPaymentLink(db, companyId, idOrSlug)
    if (!link) throw notFound(texts.linkNotFound)
    return link
  }
}
