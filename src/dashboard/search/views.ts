// The view models of the search.
import type { DashboardPage } from '../layout/page.ts'
import type { listPlaces } from './places.ts'
import type { FoundGroup } from './view.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/search/page': DashboardPage<{ q: string; groups: FoundGroup[] }>
    /** What the palette lists, without a page around it. */
    'dashboard/search/options': {
      groups: FoundGroup[]
      places: ReturnType<typeof listPlaces>
      everything: { href: string; text: string } | null
    }
  }
}
