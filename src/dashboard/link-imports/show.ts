// `/painel/links/importar/:id`: one file, from its preview over its progress to its links.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import type { Database } from '../../database/connect.ts'
import { type CsvColumn, formatMoneyCell, sendCsv } from '../../http/csv.ts'
import { notFoundError } from '../../http/errors.ts'
import { parseDecimal, toRecord } from '../../http/fields.ts'
import {
  listCompletedDocuments,
  listOtherwiseKnown,
} from '../../payment-links/import/known-customers.ts'
import {
  confirmLinkImport,
  findLinkImport,
  type ImportRow,
  type LinkImport,
  listImportRows,
  type TickedRows,
} from '../../payment-links/import/link-import.ts'
import { countRepeatedRows } from '../../payment-links/import/repeated.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import { type ById, type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { LINK_IMPORTS_PATH, linkImportPath } from '../layout/paths.ts'
import { toStringList } from '../links/metadata.ts'
import { toPreview, toRepeatedView } from './preview.ts'
import { linkImportTexts } from './texts.ts'
import {
  formatFaults,
  toCompletedRow,
  toFaultRow,
  toImportView,
  toKnownView,
  toMadeRow,
} from './view.ts'

const EDIT_LINKS = requireRight('editLinks')

const words = linkImportTexts
const ROWS_A_PAGE = 100
const PREVIEW_ROWS = 10
const CSV_BATCH = 500
const REFRESH_S = 2
const NO_DRAFT = {
  ...{ pending: [], completed: [], repeated: [] },
  known: { customers: [], count: 0 },
}

export async function linkImportPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, now, checkoutUrl } = needs
  const show = createPageRenderer(needs)

  app.get<ById>('/links/importar/:id', EDIT_LINKS, async (request, reply) => {
    const linkImport = await requireImport(request)
    const { id, status } = linkImport
    const { erros, links, falta } = toRecord(request.query)
    const refused = await listPage(id, 'refused', erros)
    const made = await listPage(id, 'created', links)
    const repeatedCount = await countRepeatedRows(db, id)
    const draft = status === 'draft' ? await loadDraft(linkImport) : NO_DRAFT
    // Also without JavaScript: the page asks for itself again until all is done.
    if (status === 'running') reply.header('refresh', String(REFRESH_S))
    return show(request, reply, 'dashboard/link-imports/show', {
      ...{ title: words.title, section: 'links', back: LINK_IMPORTS_PATH },
      file: toImportView(linkImport, repeatedCount),
      refused: { rows: refused.rows.map(toFaultRow), next: buildNext(id, 'erros', refused.next) },
      made: {
        rows: made.rows.flatMap((row) => toMadeRow(row, checkoutUrl)),
        next: buildNext(id, 'links', made.next),
      },
      preview: toPreview(draft.pending, draft.known.customers),
      repeated: toRepeatedView({ rows: draft.repeated, count: repeatedCount }, falta === 'linhas'),
      completed: draft.completed.map(toCompletedRow),
      known: toKnownView(draft.known),
      csv: `${linkImportPath(id)}/resultado.csv`,
      action: `${linkImportPath(id)}/confirmar`,
    })
  })

  app.post<ById>('/links/importar/:id/confirmar', EDIT_LINKS, async (request, reply) => {
    const { id, status } = await requireImport(request)
    const ticked = readTickedRows(request.body)
    const order = { companyId: request.visitor.company.id, id, ticked }
    const confirmed = await confirmLinkImport(db, order, now())
    if (confirmed.kind === 'confirmed') await recordImportAudit(request, confirmed.linkImport)
    const isNothing = confirmed.kind === 'unchanged' && status === 'draft'
    return reply.redirect(`${linkImportPath(id)}${isNothing ? '?falta=linhas' : ''}`, 303)
  })

  app.get<ById>('/links/importar/:id/resultado.csv', EDIT_LINKS, async (request, reply) => {
    const { id } = await requireImport(request)
    const file = { companyId: request.visitor.company.id, name: words.result }
    return sendCsv(reply, buildResultColumns(checkoutUrl), streamImportRows(db, id), file)
  })

  /** A preview is for whoever uploaded it. */
  async function requireImport({ params, visitor }: FastifyRequest<ById>) {
    const found = await findLinkImport(db, visitor.company.id, params.id, now())
    if (!found || (found.status === 'draft' && found.userId !== visitor.user.id)) {
      throw notFoundError()
    }
    return found
  }

  async function listPage(id: string, kind: 'refused' | 'created', after: unknown) {
    const query = { kind, after: readLine(after), limit: ROWS_A_PAGE + 1 }
    const found = await listImportRows(db, id, query)
    const rows = found.slice(0, ROWS_A_PAGE)
    return { rows, next: found.length > ROWS_A_PAGE ? (rows.at(-1)?.line ?? null) : null }
  }

  async function loadDraft(linkImport: LinkImport) {
    const { id } = linkImport
    const repeated = { kind: 'repeated', after: 0, limit: ROWS_A_PAGE } as const
    return {
      pending: await listImportRows(db, id, { kind: 'pending', after: 0, limit: PREVIEW_ROWS }),
      known: await listOtherwiseKnown(db, linkImport, ROWS_A_PAGE),
      completed: await listCompletedDocuments(db, id, ROWS_A_PAGE),
      repeated: await listImportRows(db, id, repeated),
    }
  }

  async function recordImportAudit(request: FastifyRequest, linkImport: LinkImport) {
    const { id, fileName, rowCount, refusedCount } = linkImport
    await recordAudit(db, {
      ...getAuditActor(request),
      ...{ action: 'links_imported', subjectId: id, subject: fileName, now: now() },
      details: { links: String(rowCount - refusedCount) },
    })
  }
}

async function* streamImportRows(db: Database, id: string) {
  for (let after = 0; ; ) {
    const rows = await listImportRows(db, id, { after, limit: CSV_BATCH })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (rows.length < CSV_BATCH || !last) return
    after = last.line
  }
}

function readLine(given: unknown) {
  const line = typeof given === 'string' ? parseDecimal(given) : 0
  return line <= Number.MAX_SAFE_INTEGER && line < 2 ** 31 ? line : 0
}

/** The boxes of rows that seem to be links already. */
function readTickedRows(body: unknown): TickedRows {
  const { repetidas, repetida } = toRecord(body)
  return repetidas === 'todas' ? 'all' : toStringList(repetida).map(readLine)
}

function buildNext(id: string, name: string, line: number | null) {
  return line === null ? null : `${linkImportPath(id)}?${name}=${line}`
}

function buildResultColumns(checkoutUrl: string): CsvColumn<ImportRow>[] {
  const { csv, rowStatuses } = words
  return [
    { heading: csv.line, value: ({ line }) => line },
    { heading: csv.status, value: (row) => rowStatuses[getRowStatus(row)] },
    { heading: csv.title, value: ({ title }) => title },
    {
      heading: csv.amount,
      value: ({ amountCents }) => amountCents && formatMoneyCell(amountCents),
    },
    { heading: csv.url, value: ({ slug }) => slug && linkUrl(checkoutUrl, slug) },
    { heading: csv.faults, value: ({ faults }) => formatFaults(faults) || null },
  ]
}

function getRowStatus({ linkId, faults, input }: ImportRow) {
  if (linkId) return 'created'
  const isRepeated = faults.some((fault) => fault.isRepeated)
  if (isRepeated || (input !== null && faults.length > 0)) return 'repeated'
  return faults.length > 0 ? 'refused' : 'pending'
}
