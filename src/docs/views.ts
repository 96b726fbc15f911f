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
    'docs/code': { label: string; language: string; code: string }
    'docs/mark': object
  }
}
