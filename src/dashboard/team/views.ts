// The view models of the team.
import type { TypedFields } from '../layout/forms/form.ts'
import type { DashboardPage, FormError } from '../layout/page.ts'
import type { TimeView } from '../layout/values/views.ts'
import type { buildRoleOptions } from './list.ts'

type RoleOptions = ReturnType<typeof buildRoleOptions>

type TeamMember = {
  email: string
  href: string
  since: TimeView
  totpEnabled: boolean
  isYou: boolean
}

type InvitationRow = {
  /** Its e-mail was given up. */
  isUntold: boolean
  email: string
  role: string
  invitedBy: string
  expires: TimeView
  expired: boolean
  withdraw: string
  again: string
}

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/team/list': DashboardPage<{
      people: (TeamMember & { role: string })[]
      invitations: InvitationRow[]
    }>
    'dashboard/team/person': DashboardPage<TeamMember & { roles: RoleOptions }>
    'dashboard/team/invite': DashboardPage<{
      typed: TypedFields
      roles: RoleOptions
      isMailed: boolean
    }>
    'dashboard/team/invited': DashboardPage<{
      email: string
      role: string
      link: string
      isMailed: boolean
    }>
    'dashboard/team/roles': { errors: FormError[]; roles: RoleOptions }
  }
}
