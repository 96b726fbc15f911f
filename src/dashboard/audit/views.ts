// The view model of the audit log.
import type { LoadedPage } from '../layout/page.ts'
import type { loadAuditLog } from './audit-log.ts'

type AuditLog = Awaited<ReturnType<typeof loadAuditLog>>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/audit/audit-log': LoadedPage<typeof loadAuditLog>
    'dashboard/audit/links': Pick<AuditLog['entries'][number], 'links'>
  }
}
