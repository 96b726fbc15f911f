// The view models of the payment links.
import type { PaymentMethod } from '../../database/enums.ts'
import type { SelectOption } from '../layout/forms/views.ts'
import type { SortHead } from '../layout/lists/sorting.ts'
import type { Outcome, Pager } from '../layout/lists/views.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { buildLinkBulkView } from './bulk-view.ts'
import type { CustomFieldForm } from './custom-fields.ts'
import type { findCustomerView } from './customer.ts'
import type { loadLinkDetail } from './detail.ts'
import type { LinkForm } from './form.ts'
import type { buildLinkPreview } from './preview.ts'
import type { toListedLink } from './view.ts'

type LinkPreview = ReturnType<typeof buildLinkPreview>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/links/list': DashboardPage<{
      links: ReturnType<typeof toListedLink>[]
      /** How many the filters leave, in words. */
      total: string | null
      heads: Record<'createdAt' | 'amountCents', SortHead>
      filters: Record<'q' | 'tag' | 'status' | 'method' | 'order', string>
      statuses: SelectOption[]
      methods: SelectOption[]
      orders: SelectOption[]
      isFiltered: boolean
      filterCount: number
      isFirst: boolean
      csv: string
      pager: Pager
      /** Of the file whose links alone are listed. */
      importId: string | null
      /** Null where nobody chooses. */
      bulk: ReturnType<typeof buildLinkBulkView> | null
      outcome: Outcome | null
    }>
    'dashboard/links/show': DashboardPage<Awaited<ReturnType<typeof loadLinkDetail>>>
    'dashboard/links/edit': DashboardPage<{
      form: LinkForm
      /** What the form changes; null for a new link. */
      link: { title: string; href: string } | null
      action: string
      installments: SelectOption[]
      /** Those that the company can be paid by. */
      offered: PaymentMethod[]
      customer: Awaited<ReturnType<typeof findCustomerView>>
      pairs: { key: string; value: string }[]
      /** Those that are there, and some to be filled. */
      customFields: CustomFieldForm[]
      /** Whether the payer is asked anything. */
      asks: boolean
      types: SelectOption[]
      /** Whether what few need is in use. */
      advanced: boolean
      preview: LinkPreview
    }>
    'dashboard/links/image': DashboardPage<{
      link: { title: string; href: string }
      imageUrl: string | null
      action: string
    }>
    /** What a payer will be offered; also fetched by itself while the form is typed. */
    'dashboard/links/preview': { preview: LinkPreview }
    // Parts of a page are given all that it is.
    'dashboard/links/filters': Views['dashboard/links/list']
    'dashboard/links/bulk': Views['dashboard/links/list'] & { bulk: object }
    'dashboard/links/rows': Views['dashboard/links/list']
    'dashboard/links/actions': Views['dashboard/links/show']
    'dashboard/links/notices': Views['dashboard/links/show']
    'dashboard/links/earnings': Views['dashboard/links/show']
    'dashboard/links/funnel': Views['dashboard/links/show']
    'dashboard/links/share': Views['dashboard/links/show']
    'dashboard/links/last-payments': Views['dashboard/links/show']
    'dashboard/links/facts': Views['dashboard/links/show']
    'dashboard/links/edit-custom-fields': Views['dashboard/links/edit']
    'dashboard/links/edit-methods': Views['dashboard/links/edit']
    'dashboard/links/edit-limits': Views['dashboard/links/edit']
    'dashboard/links/edit-organization': Views['dashboard/links/edit']
    'dashboard/links/edit-advanced': Views['dashboard/links/edit']
  }
}
