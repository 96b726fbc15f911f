// `/painel/equipe`: who is in the company, and who is invited.

import type { FastifyInstance } from 'fastify'
import { ROLES } from '../../database/enums.ts'
import { notFoundError } from '../../http/errors.ts'
import { findUntoldSubjects } from '../../mail/outbox.ts'
import { texts } from '../../texts.ts'
import { listInvitations, withdrawInvitation } from '../../users/invitation.ts'
import { listUsers } from '../../users/user.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { TEAM_PATH } from '../layout/paths.ts'
import { recordAct } from '../layout/security.ts'
import { roleTexts, sectionTitles } from '../layout/texts.ts'
import { toTimeView } from '../layout/values/time.ts'

const TEAM = requireRight('team')

const INVITE_PATH = `${TEAM_PATH}/convidar`

export async function teamPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/equipe', TEAM, async (request, reply) => {
    const { user } = request.visitor
    const now = needs.now()
    const [people, invitations] = await Promise.all([
      listUsers(db, user.companyId),
      listInvitations(db, user.companyId, now),
    ])
    const untold = await findUntoldSubjects(
      db,
      invitations.map(({ id }) => id),
    )
    return show(request, reply, 'dashboard/team/list', {
      title: sectionTitles.equipe,
      section: 'equipe',
      people: people.map(({ id, email, role, totpEnabled, createdAt }) => ({
        ...{ email, totpEnabled, href: `${TEAM_PATH}/${id}`, isYou: id === user.id },
        ...{ role: texts.roles[role], since: toTimeView(createdAt, now) },
      })),
      invitations: invitations.map(({ id, email, role, invitedBy, expiresAt, expired }) => ({
        ...{ email, invitedBy, expired, withdraw: `${TEAM_PATH}/convites/${id}/cancelar` },
        ...{ role: texts.roles[role], expires: toTimeView(expiresAt, now) },
        isUntold: untold.has(id),
        again: `${INVITE_PATH}?${new URLSearchParams({ email, role })}`,
      })),
    })
  })

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

/** The roles there are to choose from, the lesser first, with what each means. */
export function buildRoleOptions(chosen: string | undefined) {
  return [...ROLES].reverse().map((value) => ({
    value,
    name: texts.roles[value],
    may: roleTexts[value],
    isChosen: value === chosen,
  }))
}
