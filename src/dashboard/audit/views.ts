// The view model of the audit log.
import type { SelectOption } from '../layout/forms/views.ts'
import type { Pager } from '../layout/lists/views.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { TimeView } from '../layout/values/views.ts'

type AuditRow = {
  did: string
  subject: string | null
  href: string | null
  details: string[]
  /** Those that a change of many was made to. */
  links: { title: string; href: string }[]
  actor: string
  /** The log of this person alone. */
  byActor: string | null
  address: string | null
  /** Whether it was done in the test environment. */
  testMode: boolean
  when: TimeView
}

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/audit/audit-log': DashboardPage<{
      entries: AuditRow[]
      people: SelectOption[]
      actions: SelectOption[]
      filters: { pessoa: string; acao: string }
      filterCount: number
      pager: Pager
      keptYears: number
    }>
    'dashboard/audit/links': Pick<AuditRow, 'links'>
  }
}
