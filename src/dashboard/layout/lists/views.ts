// The view models of the parts of a list.
import type { listTableLinks } from '../exports.ts'
import type { buildPager } from './pager.ts'
import type { SortHead } from './sorting.ts'

export type Pager = ReturnType<typeof buildPager>

/** The result of a bulk change, above the list. */
export type Outcome = {
  isGood: boolean
  text: string
}

declare module '../../../http/html.ts' {
  interface Views {
    /** The checkbox of a row, which belongs to a form outside of the table. */
    'dashboard/layout/lists/choose-row': Record<'form' | 'name' | 'value' | 'label', string> & {
      isChosen?: boolean
    }
    'dashboard/layout/lists/choose-page': { form: string }
    'dashboard/layout/lists/choose-none': object
    /** The button that opens the filters, with the number of those in use. */
    'dashboard/layout/lists/filter-fold': { count: number }
    'dashboard/layout/lists/outcome': { outcome: Outcome | null }
    'dashboard/layout/lists/pager': { pager: Pager }
    'dashboard/layout/lists/search-button': object
    'dashboard/layout/lists/tables': { tables: ReturnType<typeof listTableLinks> }
    'dashboard/layout/lists/sort-head': { head: SortHead; text: string; className?: string }
  }
}
