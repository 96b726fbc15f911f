// `/painel/links/importar`: a file of links is uploaded, and those of before are listed.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { containsCardData } from '../../http/card-data.ts'
import { sendCsv } from '../../http/csv.ts'
import { toRecord } from '../../http/fields.ts'
import { paginateRows } from '../../http/pagination.ts'
import { textField } from '../../http/text.ts'
import {
  createLinkImport,
  IMPORT_DAYS,
  listLinkImports,
  MAX_IMPORT_ROWS,
} from '../../payment-links/import/link-import.ts'
import { findRepeatedRows } from '../../payment-links/import/repeated.ts'
import { buildPager, readPageQuery } from '../layout/lists/pager.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { LINK_IMPORTS_PATH, linkImportPath } from '../layout/paths.ts'
import { IMPORT_COLUMNS, IMPORT_FIELDS } from './columns.ts'
import { IMPORT_FILE_BYTES, readLinkFile } from './file.ts'
import { linkImportTexts } from './texts.ts'
import { toImportListRow } from './view.ts'

const words = linkImportTexts
const FILE_FIELD = 'arquivo'
const EDIT_LINKS = requireRight('editLinks')
const EDIT_LINKS_UPLOAD = requireRight('editLinks', { upload: IMPORT_FILE_BYTES })
const FileName = textField({ min: 1, max: 128 })

export async function linkUploadPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, now } = needs
  const show = createPageRenderer(needs)

  app.get('/links/importar', EDIT_LINKS, (request, reply) => showUpload(request, reply))

  app.post('/links/importar', EDIT_LINKS_UPLOAD, async (request, reply) => {
    const { company, user } = request.visitor
    const given = toRecord(request.body)
    const bytes = given[FILE_FIELD]
    const fileName = readFileName(request.fileNames?.[FILE_FIELD])
    // A form that nobody filled in brings an empty file without a name.
    if (!(bytes instanceof Buffer) || (bytes.length === 0 && fileName === '')) {
      return showUpload(request, reply, [words.files.none])
    }
    const file = await readLinkFile(bytes, { company, now: now() })
    if (file.kind === 'refused') return showUpload(request, reply, file.messages)
    const { rows, leftOut, isWindows1252 } = file
    const { id } = await createLinkImport(
      db,
      {
        ...{ companyId: company.id, userId: user.id, fileName: fileName || words.nameless },
        ...{ rows, leftOut, isWindows1252 },
        repeated: await findRepeatedRows(db, company.id, rows),
      },
      now(),
    )
    return reply.redirect(linkImportPath(id), 303)
  })

  app.get('/links/importar/modelo.csv', EDIT_LINKS, async (request, reply) => {
    const columns = IMPORT_FIELDS.map((field) => ({
      heading: IMPORT_COLUMNS[field],
      value: (row: (typeof words.examples)[number]) => row[field],
    }))
    const file = { companyId: request.visitor.company.id, name: words.template }
    return sendCsv(reply, columns, streamExamples(), file)
  })

  async function showUpload(
    request: FastifyRequest,
    reply: FastifyReply,
    messages: readonly string[] = [],
  ) {
    const { company, user } = request.visitor
    const place = readPageQuery(request)
    const whose = { companyId: company.id, userId: user.id, now: now() }
    const rows = await listLinkImports(db, whose, place)
    const { data, nextCursor } = paginateRows(rows, place.limit)
    return show(request, reply, 'dashboard/link-imports/upload', {
      ...{ title: words.title, section: 'links', days: IMPORT_DAYS },
      errors: messages.map((message): FormError => ({ field: FILE_FIELD, message })),
      action: LINK_IMPORTS_PATH,
      template: `${LINK_IMPORTS_PATH}/modelo.csv`,
      maxRows: MAX_IMPORT_ROWS.toLocaleString('pt-BR'),
      columns: IMPORT_COLUMNS,
      imports: data.map((one) => toImportListRow(one, needs.now())),
      pager: buildPager(request, nextCursor),
    })
  }
}

/** As it is shown; what nobody should see, or cannot, is no name. */
function readFileName(given: unknown) {
  const { data = '' } = FileName.safeParse(given)
  return containsCardData(data) ? '' : data
}

async function* streamExamples() {
  yield [...words.examples]
}
