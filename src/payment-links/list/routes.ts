import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import { CSV_DESCRIPTION, prefersCsv, sendCsv } from '../../http/csv.ts'
import { Problem, refusals } from '../../http/errors.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import type { LinkRouteNeeds } from '../needs.ts'
import { LinkFilters, PaymentLink } from '../schema.ts'
import { serializePaymentLink } from '../serialize.ts'
import { linkTexts } from '../texts.ts'
import { buildLinkColumns } from './csv.ts'
import { createPageReader } from './first-pages.ts'
import { isPlainList, listPaymentLinks, streamPaymentLinks } from './list.ts'

const listRefusals = { ...refusals, 422: Problem }
const tags = ['Payment links']
const config = { resource: 'payment-links' } as const

const LIST_LINKS_SCHEMA = {
  summary: 'Listar links',
  description: 'Todos numa planilha: `/api/payment-links.csv`.',
  operationId: 'listPaymentLinks',
  tags,
  querystring: PageQuery.extend(LinkFilters.shape).strict(),
  response: { 200: buildPageSchema(PaymentLink), ...listRefusals },
}

const EXPORT_LINKS_SCHEMA = {
  summary: 'Baixar links em CSV',
  description: CSV_DESCRIPTION,
  operationId: 'exportPaymentLinks',
  tags,
  querystring: LinkFilters,
  response: {
    200: { description: 'Uma planilha', content: { 'text/csv': { schema: z.string() } } },
    ...listRefusals,
  },
}

export const linkListRoutes: Routes<LinkRouteNeeds> = async (app, needs) => {
  const { db, checkoutUrl, now } = needs
  const readPage = createPageReader(db)

  app.get('/payment-links', { config, schema: LIST_LINKS_SCHEMA }, async (request, reply) => {
    const { company, query } = request
    reply.header('vary', 'accept')
    if (prefersCsv(request)) return sendLinksCsv(reply, company, query)
    const context = { checkoutUrl, testMode: company.testMode, now: now() }
    const { limit, cursor, ...filters } = query
    if (isPlainList(filters)) {
      const plain = { companyId: company.id, limit, cursor, ...context }
      return sendJson(reply, await readPage(plain, request.url))
    }
    const { rows, resumeBelow } = await listPaymentLinks(db, company.id, query, context.now)
    const { data, ...rest } = paginateRows(rows, limit, resumeBelow)
    return { data: data.map((row) => serializePaymentLink(row, context)), ...rest }
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
    const context = { checkoutUrl, testMode: company.testMode, now: now() }
    const links = streamPaymentLinks(db, company.id, filters, context.now)
    const file = { companyId: company.id, name: linkTexts.csv.name }
    return sendCsv(reply, buildLinkColumns(context), links, file)
  }
}

/** Of bytes no type says what they hold: the schema is held by how Postgres was told to write them. */
function sendJson(reply: FastifyReply, body: Buffer) {
  return reply.type('application/json; charset=utf-8').send(body)
}

/** A page of the table is the whole of it. */
type LinkExportQuery = LinkFilters & Partial<PageQuery>
