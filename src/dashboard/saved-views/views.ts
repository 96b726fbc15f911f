// The view models of saved views.
import type { DashboardPage } from '../layout/page.ts'
import type { buildViewChips } from './chips.ts'

export type ViewChips = Awaited<ReturnType<typeof buildViewChips>>

declare module '../../http/html.ts' {
  interface Views {
    /** Above a list. */
    'dashboard/saved-views/chips': { views: ViewChips; csrf: string }
    'dashboard/saved-views/edit': DashboardPage<{
      form: Record<'name' | 'list' | 'query', string>
      action: string
      button: string
      /** Null for a new one. */
      remove: string | null
      back: string
    }>
  }
}
