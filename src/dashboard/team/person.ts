// `/painel/equipe/:id`: one person of the company, what they may do, and their removal.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type NewAuditEntry, recordAudit } from '../../companies/audit.ts'
import { ROLES } from '../../database/enums.ts'
import { AppError, notFound } from '../../http/errors.ts'
import { texts } from '../../texts.ts'
import { userTexts } from '../../users/texts.ts'
import { changeRole, listUsers, removeUser } from '../../users/user.ts'
import { readForm } from '../layout/form.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import { createPageRenderer, type FormError, toTimeView } from '../layout/page.ts'
import { HOME_PATH, SIGN_IN_PATH } from '../layout/paths.ts'
import { buildRoleOptions, TEAM_PATH } from './list.ts'
import { teamTexts } from './texts.ts'

type PersonById = { Params: { id: string } }
type TeamMember = Awaited<ReturnType<typeof listUsers>>[number]

const OWNERS_ONLY = { config: { owners: true } }
const words = teamTexts

const RoleForm = z.object({ role: z.enum(ROLES, words.role) })

export async function teamPersonPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(app, needs)

  app.get<PersonById>('/equipe/:id', OWNERS_ONLY, async (request, reply) =>
    showPerson(request, reply, await findTeamMember(needs, request)),
  )

  app.post<PersonById>('/equipe/:id/papel', OWNERS_ONLY, async (request, reply) => {
    const person = await findTeamMember(needs, request)
    const { values, errors } = readForm(RoleForm, request.body)
    if (errors) return showPerson(request, reply, person, errors)
    const { role } = values
    if (role !== person.role) {
      const problems = await catchLastOwnerError(
        'role',
        changeRole(db, { ...toUserKey(request), role }),
      )
      if (problems) return showPerson(request, reply, person, problems)
      const details = { role: texts.roles[role] }
      await recordPersonAudit(needs, request, person, { action: 'role_changed', details })
    }
    const isLeaving = person.id === request.visitor.user.id && role !== 'owner'
    return reply.redirect(isLeaving ? HOME_PATH : `${TEAM_PATH}?feito=papel-alterado`, 303)
  })

  app.get<PersonById>('/equipe/:id/remover', OWNERS_ONLY, async (request, reply) =>
    showRemoval(request, reply, await findTeamMember(needs, request)),
  )

  app.post<PersonById>('/equipe/:id/remover', OWNERS_ONLY, async (request, reply) => {
    const person = await findTeamMember(needs, request)
    const problems = await catchLastOwnerError('content', removeUser(db, toUserKey(request)))
    if (problems) return showRemoval(request, reply, person, problems)
    await recordPersonAudit(needs, request, person, { action: 'user_removed' })
    const isLeaving = person.id === request.visitor.user.id
    return reply.redirect(isLeaving ? SIGN_IN_PATH : `${TEAM_PATH}?feito=pessoa-removida`, 303)
  })

  function showPerson(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, email, role, totpEnabled, createdAt }: TeamMember,
    errors: FormError[] = [],
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

/** Of another company is not found. */
async function findTeamMember(
  { db }: DashboardNeeds,
  { visitor, params }: FastifyRequest<PersonById>,
) {
  const people = await listUsers(db, visitor.company.id)
  const person = people.find(({ id }) => id === params.id)
  if (!person) throw notFound(userTexts.notFound)
  return person
}

function toUserKey({ visitor, params }: FastifyRequest<PersonById>) {
  return { companyId: visitor.company.id, userId: params.id }
}

function recordPersonAudit(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  { id: subjectId, email: subject }: TeamMember,
  done: Pick<NewAuditEntry, 'action' | 'details'>,
) {
  return recordAudit(db, { ...getAuditActor(request), ...done, subjectId, subject, now: now() })
}

/** That somebody is the last owner is told on the page; whoever is gone meanwhile is not found. */
async function catchLastOwnerError(
  field: string,
  changing: Promise<unknown>,
): Promise<FormError[] | undefined> {
  try {
    await changing
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.statusCode !== 409) throw error
    return [{ field, message: error.message }]
  }
}
