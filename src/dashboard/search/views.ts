// The view models of the search.
import type { LoadedPage } from '../layout/page.ts'
import type { loadSearch } from './search.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/search/page': LoadedPage<typeof loadSearch>
  }
}
