// `/painel/equipe`: the company's users and invitations.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ROLES, type Role } from '../../database/enums.ts'
import { notFoundError } from '../../http/errors.ts'
import { findUntoldSubjects } from '../../mail/outbox.ts'
import { texts } from '../../texts.ts'
import { listInvitations, withdrawInvitation } from '../../users/invitation.ts'
import { listUsers } from '../../users/user.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError, type LoadedPage } from '../layout/page.ts'
import { personPagePath, TEAM_PATH } from '../layout/paths.ts'
import { recordAct } from '../layout/security.ts'
import { roleTexts, sectionTitles } from '../layout/texts.ts'
import { toTimeView } from '../layout/values/time.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/team/list': LoadedPage<typeof loadTeam>
    'dashboard/team/roles': { errors: FormError[]; roles: ReturnType<typeof buildRoleOptions> }
  }
}

const TEAM = requireRight('team')

const INVITE_PATH = `${TEAM_PATH}/convidar`

export async function teamPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/equipe', TEAM, async (request, reply) =>
    show(request, reply, 'dashboard/team/list', await loadTeam(needs, request)),
  )

  app.post<ById>('/equipe/convites/:id/cancelar', TEAM, async (request, reply) => {
    const { id } = request.params
    const { companyId } = request.visitor.user
    const withdrawn = await withdrawInvitation(db, { companyId, id })
    if (withdrawn.kind === 'notFound') throw notFoundError()
    await recordAct(needs, request, {
      action: 'invitation_withdrawn',
      subjectId: id,
      subject: withdrawn.email,
    })
    return reply.redirect(`${TEAM_PATH}?feito=convite-cancelado`, 303)
  })
}

export async function loadTeam({ db, ...needs }: DashboardNeeds, { visitor }: FastifyRequest) {
  const { user } = visitor
  const now = needs.now()
  const [people, invitations] = await Promise.all([
    listUsers(db, user.companyId),
    listInvitations(db, user.companyId, now),
  ])
  const untold = await findUntoldSubjects(
    db,
    invitations.map(({ id }) => id),
  )
  return {
    title: sectionTitles.equipe,
    section: 'equipe' as const,
    people: people.map(({ id, email, role, totpEnabled, createdAt }) => ({
      email,
      totpEnabled,
      href: personPagePath(id),
      isYou: id === user.id,
      role: nameRole(role),
      since: toTimeView(createdAt, now),
    })),
    invitations: invitations.map(({ id, email, role, invitedBy, expiresAt, expired }) => ({
      email,
      invitedBy,
      expired,
      role: nameRole(role),
      expires: toTimeView(expiresAt, now),
      /** Its e-mail could not be delivered. */
      isUntold: untold.has(id),
      withdraw: `${TEAM_PATH}/convites/${id}/cancelar`,
      again: `${INVITE_PATH}?${new URLSearchParams({ email, role })}`,
    })),
  }
}

export function nameRole(role: Role): string {
  return texts.roles[role]
}

/** The roles to choose from, fewest rights first, with their descriptions. */
export function buildRoleOptions(chosen: string | undefined) {
  return [...ROLES].reverse().map((value) => ({
    value,
    name: nameRole(value),
    may: roleTexts[value],
    isChosen: value === chosen,
  }))
}
