// The view models of files of links.
import type { DashboardPage } from '../layout/page.ts'
import type { checkFile } from './check.ts'
import type { IMPORT_COLUMNS } from './columns.ts'

type CheckedFile = Awaited<ReturnType<typeof checkFile>>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/link-imports/upload': DashboardPage<{
      action: string
      template: string
      maxRows: string
      columns: typeof IMPORT_COLUMNS
    }>
    'dashboard/link-imports/columns': Views['dashboard/link-imports/upload']
    'dashboard/link-imports/check': DashboardPage<CheckedFile & { back: string; action: string }>
    'dashboard/link-imports/refused': Views['dashboard/link-imports/check']
    'dashboard/link-imports/rows': {
      rows: CheckedFile['right']
      caption: string
      /** Whether each can be ticked. */
      isChoice: boolean
    }
  }
}
