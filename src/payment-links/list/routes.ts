import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { sealCursor } from '../../api/list-query.ts'
import type { Company } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import { CSV_DESCRIPTION, prefersCsv, sendCsv } from '../../http/csv.ts'
import { Problem, refusals } from '../../http/errors.ts'
import { buildPageSchema, encodePlace, PageQuery, paginateRows } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import type { LinkRouteNeeds } from '../needs.ts'
import { LinkFilters, PaymentLink } from '../schema.ts'
import { serializePaymentLink } from '../serialize.ts'
import { linkTexts } from '../texts.ts'
import { buildLinkColumns } from './csv.ts'
import { isPlainList, listPaymentLinks, streamPaymentLinks } from './list.ts'
import { type LinkPageJson, readLinkPageJson } from './page-json.ts'

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

export const linkListRoutes: Routes<LinkListRouteNeeds> = async (app, needs) => {
  const { db, readDb, checkoutUrl, now } = needs

  app.get('/payment-links', { config, schema: LIST_LINKS_SCHEMA }, async (request, reply) => {
    const { company, query } = request
    reply.header('vary', 'accept')
    if (prefersCsv(request)) return sendLinksCsv(reply, company, query)
    const context = { checkoutUrl, testMode: company.testMode, now: now() }
    const { limit, cursor, ...filters } = query
    if (isPlainList(filters)) {
      const page = await readLinkPageJson(db, { companyId: company.id, limit, cursor, ...context })
      return sendPageJson(reply, request.originalUrl, { ...page, limit })
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
    const at = now()
    const links = streamPaymentLinks(readDb, company.id, filters, at)
    return sendCsv(reply, buildLinkColumns(checkoutUrl, at), links, linkTexts.csv.name)
  }
}

type LinkListRouteNeeds = LinkRouteNeeds & { readDb: Database }

/** What the schema says of the answer is held by how Postgres was told to write it. */
function sendPageJson(
  reply: FastifyReply,
  url: string,
  { items, resumeBelow, limit }: LinkPageJson & { limit: number },
) {
  const nextCursor = resumeBelow && sealCursor(url, encodePlace(resumeBelow))
  const rest = JSON.stringify({ hasMore: resumeBelow !== null, nextCursor, limit })
  return reply.type('application/json; charset=utf-8').send(`{"data":[${items}],${rest.slice(1)}`)
}

/** A page of the table is the whole of it. */
type LinkExportQuery = LinkFilters & Partial<PageQuery>
