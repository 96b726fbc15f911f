// Exports tables as CSV and as workbooks: each export is audited, and reported when it has payers' names and addresses.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DAY_MS } from '../../database/instant.ts'
import { TABLE_FORMATS, type TableColumn } from '../../http/tables/columns.ts'
import { sendTable } from '../../http/tables/send.ts'
import { type DashboardNeeds, queueSecurityNotice, recordAct, requireRight } from './needs.ts'
import { tableTexts } from './texts.ts'

const NOTICE_LIMIT = { max: 1, windowMs: DAY_MS }

type Table<Row> = {
  columns: TableColumn<Row>[]
  rows: AsyncIterable<Row[]>
  /** The name of the file. */
  name: string
  /** The name of the table in the audit log. */
  subject: string
  hasPayers?: true
}

/** Registers GET of a path below /painel, for each format. */
export function registerTable<Row>(
  app: FastifyInstance,
  path: string,
  needs: DashboardNeeds,
  load: (request: FastifyRequest) => Promise<Table<Row>>,
) {
  for (const format of TABLE_FORMATS) {
    app.get(`${path}.${format}`, requireRight('read'), async (request, reply) => {
      const { columns, rows, ...table } = await load(request)
      return sendTable(reply, columns, rows, {
        companyId: request.visitor.company.id,
        name: table.name,
        format,
        recordTaking: () => recordExport(needs, request, table),
      })
    })
  }
}

/** Exports with payers are reported once a day for each person. */
async function recordExport(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { subject, hasPayers }: { subject: string; hasPayers?: true },
) {
  await recordAct(needs, request, { action: 'csv_exported', subject })
  const { user, company } = request.visitor
  if (!hasPayers || company.testMode) return
  const { exceeded } = await needs.limiter.countHit(`export-notice:${user.id}`, NOTICE_LIMIT)
  if (!exceeded) await queueSecurityNotice(needs, request, { what: 'csv_exported' })
}

type TableLink = { text: string; href: string }

/** Builds the links that download a page's table. */
export function listTableLinks(path: string, query: URLSearchParams): TableLink[] {
  return TABLE_FORMATS.map((format) => ({
    text: tableTexts[format],
    href: `${path}.${format}${query.size > 0 ? `?${query}` : ''}`,
  }))
}
