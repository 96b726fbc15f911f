// `/painel/links/importar`: a file of links is chosen and checked, and one button creates them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import type { Database } from '../../database/connect.ts'
import { containsCardData } from '../../http/card-data.ts'
import { parseDecimal, toRecord } from '../../http/fields.ts'
import { textColumn } from '../../http/tables/columns.ts'
import { sendTable } from '../../http/tables/send.ts'
import { streamRows } from '../../lists/page.ts'
import { createImportedLinks, MAX_IMPORT_LINKS } from '../../payment-links/batch/import.ts'
import { type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { LINK_IMPORTS_PATH, linkImportPath } from '../layout/paths.ts'
import { toStringList } from '../links/form.ts'
import { CHECKED_FILE_BYTES, checkFile, FileName, unpackFile } from './check.ts'
import { IMPORT_COLUMNS, IMPORT_FIELDS } from './columns.ts'
import { IMPORT_FILE_BYTES, type ReadFile, readLinkFile } from './file.ts'
import { linkImportTexts } from './texts.ts'

const words = linkImportTexts
const FILE_FIELD = 'arquivo'
const EDIT_LINKS = requireRight('editLinks')
const EDIT_LINKS_UPLOAD = requireRight('editLinks', { upload: IMPORT_FILE_BYTES })
/** The errors that are shown when rows have become invalid by the time the button is pressed. */
const MAX_SHOWN_FAULTS = 10
const TEMPLATE_COLUMNS = IMPORT_FIELDS.map((field) =>
  textColumn(IMPORT_COLUMNS[field], (row: (typeof words.examples)[number]) => row[field]),
)

export async function linkImportPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, now, show } = needs

  app.get('/links/importar', EDIT_LINKS, (request, reply) => showUpload(request, reply))

  app.post('/links/importar', EDIT_LINKS_UPLOAD, async (request, reply) => {
    const { company } = request.visitor
    const bytes = toRecord(request.body)[FILE_FIELD]
    const name = readFileName(request.fileNames?.[FILE_FIELD])
    // An unused field sends an empty file without a name.
    if (!(bytes instanceof Buffer) || (bytes.length === 0 && name === '')) {
      return showUpload(request, reply, [words.files.none])
    }
    const file = await readLinkFile(db, bytes, { company, now: now() })
    if (file.kind === 'refused') return showUpload(request, reply, file.messages)
    // A browser can go back to the answer of a form only if it may cache it.
    reply.header('cache-control', 'private, no-cache')
    const read = { name: name || words.nameless, ...file }
    const page = await loadCheckPage(db, company.id, read)
    return show(request, reply, 'dashboard/link-imports/check', page)
  })

  const confirming = { ...EDIT_LINKS, bodyLimit: CHECKED_FILE_BYTES }
  app.post('/links/importar/confirmar', confirming, async (request, reply) => {
    const file = unpackFile(toRecord(request.body).conferido)
    if (!file) return showUpload(request, reply, [words.files.none])
    const { id, name } = file
    const isTicked = readTickedRows(request.body)
    const links = file.links.filter(({ line, isRepeated }) => !isRepeated || isTicked(line))
    if (links.length === 0) return showUpload(request, reply, [words.nothingTicked])
    const entry = {
      ...getAuditActor(request),
      action: 'links_imported',
      subjectId: id,
      subject: name,
      details: { links: String(links.length) },
      now: now(),
    } as const
    const { company } = request.visitor
    const made = await createImportedLinks(db, company, { id, links }, now(), (tx) =>
      recordAudit(tx, entry),
    )
    if (made.kind === 'created') {
      return reply.redirect(`${linkImportPath(id)}&feito=links-importados`, 303)
    }
    if (made.kind === 'madeBefore') {
      return showUpload(request, reply, [words.madeBefore(made.made)])
    }
    const faults = made.faults.slice(0, MAX_SHOWN_FAULTS).map(words.changedRow)
    return showUpload(request, reply, [words.changed, ...faults])
  })

  app.get('/links/importar/modelo.csv', EDIT_LINKS, async (request, reply) => {
    return sendTable(reply, TEMPLATE_COLUMNS, streamRows(words.examples), {
      companyId: request.visitor.company.id,
      name: words.template,
      format: 'csv',
    })
  })

  function showUpload(
    request: FastifyRequest,
    reply: FastifyReply,
    messages: readonly string[] = [],
  ) {
    const errors = messages.map((message) => ({ field: FILE_FIELD, message }))
    return show(request, reply, 'dashboard/link-imports/upload', { ...toUploadPage(), errors })
  }
}

export function toUploadPage() {
  return {
    title: words.title,
    action: LINK_IMPORTS_PATH,
    template: `${LINK_IMPORTS_PATH}/modelo.csv`,
    maxRows: MAX_IMPORT_LINKS.toLocaleString('pt-BR'),
    columns: IMPORT_COLUMNS,
  }
}

export async function loadCheckPage(
  db: Database,
  companyId: string,
  file: ReadFile & { name: string },
) {
  return {
    title: words.title,
    back: LINK_IMPORTS_PATH,
    action: `${LINK_IMPORTS_PATH}/confirmar`,
    ...(await checkFile(db, companyId, file)),
  }
}

/** Returns the file's name for display; empty when it has forbidden characters. */
function readFileName(given: unknown) {
  const { data = '' } = FileName.safeParse(given)
  return containsCardData(data) ? '' : data
}

/** The ticked rows that seem to exist as links. */
function readTickedRows(body: unknown) {
  const { repetidas, repetida } = toRecord(body)
  const lines = new Set(toStringList(repetida).map(parseDecimal))
  return (line: number) => repetidas === 'todas' || lines.has(line)
}
