// The view models of the payment links.
import type { DashboardPage, LoadedPage } from '../layout/page.ts'
import type { loadLinkDetail } from './detail.ts'
import type { loadLinkForm } from './edit.ts'
import type { loadLinkList } from './list.ts'
import type { buildPoster } from './poster.ts'
import type { buildLinkPreview } from './preview.ts'
import type { toSendPage } from './send.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/links/list': LoadedPage<typeof loadLinkList>
    'dashboard/links/show': LoadedPage<typeof loadLinkDetail>
    'dashboard/links/edit': LoadedPage<typeof loadLinkForm>
    'dashboard/links/poster': LoadedPage<typeof buildPoster>
    'dashboard/links/image': DashboardPage<{
      link: { title: string; href: string }
      imageUrl: string | null
      action: string
    }>
    'dashboard/links/send': LoadedPage<typeof toSendPage>
    /** The payment options for a payer; also loaded separately while the form is typed. */
    'dashboard/links/preview': { preview: ReturnType<typeof buildLinkPreview> }
    // Parts of a page get the page's whole view model.
    'dashboard/links/filters': Views['dashboard/links/list']
    'dashboard/links/bulk': Views['dashboard/links/list'] & { bulk: object }
    'dashboard/links/rows': Views['dashboard/links/list']
    'dashboard/links/actions': Views['dashboard/links/show']
    'dashboard/links/notices': Views['dashboard/links/show']
    'dashboard/links/earnings': Views['dashboard/links/show']
    'dashboard/links/funnel': Views['dashboard/links/show']
    'dashboard/links/share': Views['dashboard/links/show']
    'dashboard/links/last-payments': Views['dashboard/links/show']
    'dashboard/links/recipients': Views['dashboard/links/show']
    'dashboard/links/facts': Views['dashboard/links/show']
    'dashboard/links/edit-custom-fields': Views['dashboard/links/edit']
    'dashboard/links/edit-methods': Views['dashboard/links/edit']
    'dashboard/links/edit-limits': Views['dashboard/links/edit']
    'dashboard/links/edit-organization': Views['dashboard/links/edit']
    'dashboard/links/edit-advanced': Views['dashboard/links/edit']
  }
}
