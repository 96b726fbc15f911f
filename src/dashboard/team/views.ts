// The view models of the team.
import type { TypedFields } from '../layout/forms/form.ts'
import type { DashboardPage, FormError, LoadedPage } from '../layout/page.ts'
import type { buildRoleOptions, loadTeam } from './list.ts'
import type { buildPersonPage } from './person.ts'

type RoleOptions = ReturnType<typeof buildRoleOptions>
type Invited = { email: string; role: string; link: string; isMailed: boolean }

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/team/list': LoadedPage<typeof loadTeam>
    'dashboard/team/person': LoadedPage<typeof buildPersonPage>
    'dashboard/team/invite': DashboardPage<{
      typed: TypedFields
      roles: RoleOptions
      isMailed: boolean
    }>
    'dashboard/team/invited': DashboardPage<Invited>
    'dashboard/team/roles': { errors: FormError[]; roles: RoleOptions }
  }
}
