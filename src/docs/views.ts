// The view models of the documentation.
import type { buildCommonModel } from './routes.ts'

type DocsPage = ReturnType<typeof buildCommonModel> & {
  /** Where the page is. */
  path: string
}

declare module '../http/html.ts' {
  interface Views {
    'docs/layout': DocsPage & { title: string; wide?: boolean; body: string }
    'docs/home': DocsPage
    'docs/reference': DocsPage & { script: string }
    'docs/guides/changes': DocsPage
    'docs/guides/errors': DocsPage
    'docs/guides/going-live': DocsPage
    'docs/guides/idempotency': DocsPage
    'docs/guides/operating': DocsPage
    'docs/guides/paging': DocsPage
    'docs/guides/pci': DocsPage
    'docs/guides/real-money': DocsPage
    'docs/guides/reconciliation': DocsPage
    'docs/guides/refunds': DocsPage
    'docs/guides/start': DocsPage
    'docs/guides/test-cards': DocsPage
    'docs/guides/webhooks': DocsPage
    'docs/code': Pick<DocsPage, 'highlight'> & { label: string; language: string; code: string }
    'docs/mark': object
    'docs/tabs': DocsPage & { /** Of a folder of samples. */ task: string; legend: string }
  }
}
