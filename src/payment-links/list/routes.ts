import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import { CSV_DESCRIPTION, CsvFile, sendTable } from '../../http/tables/send.ts'
import type { Routes } from '../../http/zod.ts'
import { LinkFilters, PaymentLink } from '../schema.ts'
import { serializePaymentLink } from '../serialize.ts'
import { linkTexts } from '../texts.ts'
import { buildLinkColumns } from './csv.ts'
import { listPaymentLinks, streamPaymentLinks } from './list.ts'

const tags = ['Payment links']
const config = { resource: 'payment-links' } as const

const LIST_LINKS_SCHEMA = {
  summary: 'Listar links',
  description: 'Todos numa planilha: `/api/payment-links.csv`.',
  operationId: 'listPaymentLinks',
  tags,
  querystring: PageQuery.extend(LinkFilters.shape).strict(),
  response: { 200: buildPageSchema(PaymentLink) },
}

const EXPORT_LINKS_SCHEMA = {
  summary: 'Baixar links em CSV',
  description: CSV_DESCRIPTION,
  operationId: 'exportPaymentLinks',
  tags,
  querystring: LinkFilters,
  response: { 200: CsvFile },
}

export const linkListRoutes: Routes = async (app, needs) => {
  const { db, checkoutUrl, now } = needs

  app.get('/payment-links', { config, schema: LIST_LINKS_SCHEMA }, async ({ company, query }) => {
    const context = { checkoutUrl, testMode: company.testMode, now: now() }
    const rows = await listPaymentLinks(db, company.id, query, context.now)
    const { data, ...rest } = paginateRows(rows, query.limit)
    return { data: data.map((row) => serializePaymentLink(row, context)), ...rest }
  })

  app.get(
    '/payment-links.csv',
    { config, schema: EXPORT_LINKS_SCHEMA },
    async ({ company, query }, reply) => {
      const context = { checkoutUrl, testMode: company.testMode, now: now() }
      const links = streamPaymentLinks(db, company.id, query, context.now)
      const file = { companyId: company.id, name: linkTexts.csv.name, format: 'csv' as const }
      return sendTable(reply, buildLinkColumns(context), links, file)
    },
  )
}
