// The view models of files of links.
import type { Pager } from '../layout/lists/views.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { IMPORT_COLUMNS } from './columns.ts'
import type { toPreview, toRepeatedView } from './preview.ts'
import type {
  toCompletedRow,
  toFaultRow,
  toImportListRow,
  toImportView,
  toKnownView,
  toMadeRow,
} from './view.ts'

/** A part of the rows; `next`: where the part after it is. */
type RowsPart<Row> = { rows: Row[]; next: string | null }

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/link-imports/upload': DashboardPage<{
      action: string
      template: string
      maxRows: string
      /** For how long a file's outcome is kept. */
      days: number
      columns: typeof IMPORT_COLUMNS
      imports: ReturnType<typeof toImportListRow>[]
      pager: Pager
    }>
    'dashboard/link-imports/show': DashboardPage<{
      back: string
      file: ReturnType<typeof toImportView>
      refused: RowsPart<ReturnType<typeof toFaultRow>>
      made: RowsPart<ReturnType<typeof toMadeRow>[number]>
      preview: ReturnType<typeof toPreview>
      repeated: ReturnType<typeof toRepeatedView>
      completed: ReturnType<typeof toCompletedRow>[]
      known: ReturnType<typeof toKnownView>
      csv: string
      action: string
    }>
    // Parts of a page are given all that it is.
    'dashboard/link-imports/columns': Views['dashboard/link-imports/upload']
    'dashboard/link-imports/list': Views['dashboard/link-imports/upload']
    'dashboard/link-imports/preview': Views['dashboard/link-imports/show']
    'dashboard/link-imports/known': Views['dashboard/link-imports/show']
    'dashboard/link-imports/repeated': Views['dashboard/link-imports/show']
    'dashboard/link-imports/completed': Views['dashboard/link-imports/show']
    'dashboard/link-imports/sample': Views['dashboard/link-imports/show']
    'dashboard/link-imports/refused': Views['dashboard/link-imports/show']
    'dashboard/link-imports/made': Views['dashboard/link-imports/show']
  }
}
