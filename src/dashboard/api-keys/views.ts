// The view models of the API keys.
import type { TypedFields } from '../layout/forms/form.ts'
import type { SelectOption } from '../layout/forms/views.ts'
import type { Pager } from '../layout/lists/views.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { KeyForm, SCOPE_CHOICES, toCreatedKey, toKeyRow } from './view.ts'

type KeyRow = ReturnType<typeof toKeyRow>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/api-keys/list': DashboardPage<{ keys: KeyRow[]; pager: Pager }>
    'dashboard/api-keys/form': DashboardPage<{ form: KeyForm; choices: typeof SCOPE_CHOICES }>
    'dashboard/api-keys/created': DashboardPage<ReturnType<typeof toCreatedKey>>
    'dashboard/api-keys/restrict': DashboardPage<{
      key: { id: string; name: string; mask: string }
      form: TypedFields
      /** Where the page was asked for from. */
      ownAddress: string
    }>
    'dashboard/api-keys/roll': DashboardPage<{
      key: KeyRow & { id: string }
      hours: string
      options: SelectOption[]
    }>
  }
}
