import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import { CSV_DESCRIPTION, prefersCsv, sendCsv } from '../../http/csv.ts'
import { Problem, refusals } from '../../http/errors.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import type { LinkRouteNeeds } from '../needs.ts'
import { LinkFilters, PaymentLink } from '../schema.ts'
import { serializePaymentLink } from '../serialize.ts'
import { linkTexts } from '../texts.ts'
import { buildLinkColumns } from './csv.ts'
import { listPaymentLinks, streamPaymentLinks } from './list.ts'

const listRefusals = { ...refusals, 422: Problem }
const tags = ['Payment links']
const config = { resource: 'payment-links' } as const

const LIST_LINKS_SCHEMA = {
  summary: 'List payment links, newest first',
  description: 'All of them as one table: `/api/payment-links.csv`.',
  operationId: 'listPaymentLinks',
  tags,
  querystring: PageQuery.extend(LinkFilters.shape).strict(),
  response: { 200: buildPageSchema(PaymentLink), ...listRefusals },
}

const EXPORT_LINKS_SCHEMA = {
  summary: 'Download payment links as a table, newest first',
  description: CSV_DESCRIPTION,
  operationId: 'exportPaymentLinks',
  tags,
  querystring: LinkFilters,
  response: {
    200: { description: 'A table', content: { 'text/csv': { schema: z.string() } } },
    ...listRefusals,
  },
}

export const linkListRoutes: Routes<LinkListRouteNeeds> = async (app, needs) => {
  const { db, readDb, checkoutUrl, now } = needs

  app.get('/payment-links', { config, schema: LIST_LINKS_SCHEMA }, async (request, reply) => {
    const { company, query } = request
    reply.header('vary', 'accept')
    if (prefersCsv(request)) return sendLinksCsv(reply, company, query)
    const at = now()
    const { rows, resumeBelow } = await listPaymentLinks(db, company.id, query, at)
    const { data, ...rest } = paginateRows(rows, query.limit, resumeBelow)
    return {
      data: data.map((row) =>
        serializePaymentLink(row, { checkoutUrl, testMode: request.company.testMode, now: at }),
      ),
      ...rest,
    }
  })

  app.get(
    '/payment-links.csv',
    { config, schema: EXPORT_LINKS_SCHEMA },
    async ({ company, query }, reply) => sendLinksCsv(reply, company, query),
  )

  function sendLinksCsv(
    reply: FastifyReply,
    company: Company,
    { limit: _, cursor: __, ...filters }: LinkExportQuery,
  ) {
    const at = now()
    const links = streamPaymentLinks(readDb, company.id, filters, at)
    return sendCsv(reply, buildLinkColumns(checkoutUrl, at), links, linkTexts.csv.name)
  }
}

type LinkListRouteNeeds = LinkRouteNeeds & { readDb: Database }
/** A page of the table is the whole of it. */
type LinkExportQuery = LinkFilters & Partial<PageQuery>
