// `/painel/equipe/:id`: one person of the company, what they may do, and their removal.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../companies/audit.ts'
import { ROLES, type Role } from '../../database/enums.ts'
import { notFoundError } from '../../http/errors.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { texts } from '../../texts.ts'
import { hasRight } from '../../users/roles.ts'
import { userTexts } from '../../users/texts.ts'
import {
  listUsers,
  removeUser,
  updateUserRole,
  type WithdrawnInvitations,
} from '../../users/user.ts'
import { catchConflict, readForm } from '../layout/forms/form.ts'
import {
  type ById,
  type DashboardNeeds,
  getAuditActor,
  requireRight,
  STEP_UP,
} from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { HOME_PATH, SIGN_IN_PATH, TEAM_PATH } from '../layout/paths.ts'
import { toTimeView } from '../layout/values/time.ts'
import { buildRoleOptions } from './list.ts'
import { teamTexts } from './texts.ts'

const TEAM_STEP_UP = requireRight('team', STEP_UP)

type TeamMember = Awaited<ReturnType<typeof listUsers>>[number]

const words = teamTexts

const RoleForm = z.object({ role: z.enum(ROLES, words.role) })

export async function teamPersonPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  // The second one, where the form is sent to, is asked for when what was sent is not taken.
  for (const path of ['/equipe/:id', '/equipe/:id/papel'])
    app.get<ById>(path, TEAM_STEP_UP, async (request, reply) =>
      showPerson(request, reply, await findTeamMember(needs, request)),
    )

  app.post<ById>('/equipe/:id/papel', TEAM_STEP_UP, async (request, reply) => {
    const person = await findTeamMember(needs, request)
    const form = readForm(RoleForm, request.body)
    if (form.kind === 'invalid') return showPerson(request, reply, person, { errors: form.errors })
    const { role } = form.values
    const changed = await catchConflict('role', changeRole(needs, request, person, role))
    if (changed.kind === 'invalid')
      return showPerson(request, reply, person, { errors: changed.errors })
    const isLeaving = person.id === request.visitor.user.id && !hasRight(role, 'team')
    return reply.redirect(isLeaving ? HOME_PATH : `${TEAM_PATH}?feito=papel-alterado`, 303)
  })

  app.get<ById>('/equipe/:id/remover', TEAM_STEP_UP, async (request, reply) =>
    showRemoval(request, reply, await findTeamMember(needs, request)),
  )

  app.post<ById>('/equipe/:id/remover', TEAM_STEP_UP, async (request, reply) => {
    const person = await findTeamMember(needs, request)
    const removed = await catchConflict('content', removeUser(db, toUserKey(request)))
    if (removed.kind === 'invalid') return showRemoval(request, reply, person, removed.errors)
    await recordWithdrawn(needs, request, removed.saved)
    await recordSecurityChange(db, needs.mail, {
      ...getAuditActor(request),
      ...{ action: 'user_removed', subjectId: person.id, subject: person.email },
      ...{ formerEmail: person.email, now: needs.now() },
    })
    const isLeaving = person.id === request.visitor.user.id
    return reply.redirect(isLeaving ? SIGN_IN_PATH : `${TEAM_PATH}?feito=pessoa-removida`, 303)
  })

  function showPerson(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, email, totpEnabled, createdAt, ...person }: TeamMember,
    { role = person.role, errors = [] }: { role?: Role; errors?: FormError[] } = {},
  ) {
    return show(request, reply, 'dashboard/team/person', {
      title: email,
      section: 'equipe',
      errors,
      ...{ email, totpEnabled, href: `${TEAM_PATH}/${id}`, since: toTimeView(createdAt) },
      isYou: id === request.visitor.user.id,
      roles: buildRoleOptions(role),
    })
  }

  function showRemoval(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, email }: TeamMember,
    errors: FormError[] = [],
  ) {
    const { consequences, ...remove } = words.remove
    const isYou = id === request.visitor.user.id
    const { title, question, button } = isYou ? remove.self : remove.other
    return show(request, reply, 'dashboard/layout/confirm', {
      ...{ title, section: 'equipe', errors, isDangerous: true },
      question: question(email),
      ...{ consequences, button, action: `${TEAM_PATH}/${id}/remover`, back: `${TEAM_PATH}/${id}` },
    })
  }
}

/** Told in Registro and by e-mail; nothing where they have the role already. */
async function changeRole(
  needs: DashboardNeeds,
  request: FastifyRequest<ById>,
  { id, email, role: before }: TeamMember,
  role: Role,
) {
  if (role === before) return
  const { db } = needs
  const changed = await updateUserRole(db, { ...toUserKey(request), role })
  await recordWithdrawn(needs, request, changed)
  await recordSecurityChange(db, needs.mail, {
    ...getAuditActor(request),
    ...{ action: 'role_changed', subjectId: id, subject: email },
    ...{ details: { role: texts.roles[role] }, concerns: id, now: needs.now() },
  })
}

/** Of another company is not found. */
async function findTeamMember({ db }: DashboardNeeds, { visitor, params }: FastifyRequest<ById>) {
  const people = await listUsers(db, visitor.user.companyId)
  const person = people.find(({ id }) => id === params.id)
  if (!person) throw notFoundError(userTexts.notFound)
  return person
}

function toUserKey({ visitor, params }: FastifyRequest<ById>) {
  return { companyId: visitor.user.companyId, userId: params.id }
}

async function recordWithdrawn(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  { withdrawn }: WithdrawnInvitations,
) {
  const entry = { ...getAuditActor(request), action: 'invitation_withdrawn' } as const
  for (const { id: subjectId, email: subject } of withdrawn)
    await recordAudit(db, { ...entry, subjectId, subject, now: now() })
}
