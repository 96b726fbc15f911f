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
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'
import { momentOf, type Problem, pagesOf } from '../layout/page.ts'
import { HOME, SIGN_IN } from '../layout/paths.ts'
import { rolesOf, TEAM } from './list.ts'
import { teamTexts } from './texts.ts'

type ById = { Params: { id: string } }
type Person = Awaited<ReturnType<typeof listUsers>>[number]

const owners = { config: { owners: true } }
const words = teamTexts

const RoleForm = z.object({ role: z.enum(ROLES, words.role) })

export async function teamPersonPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get<ById>('/equipe/:id', owners, async (request, reply) =>
    showPerson(request, reply, await findPerson(needs, request)),
  )

  app.post<ById>('/equipe/:id/papel', owners, async (request, reply) => {
    const person = await findPerson(needs, request)
    const { values, errors } = readForm(RoleForm, request.body)
    if (errors) return showPerson(request, reply, person, errors)
    const { role } = values
    if (role !== person.role) {
      const problems = await problemsOf('role', changeRole(db, { ...one(request), role }))
      if (problems) return showPerson(request, reply, person, problems)
      const details = { role: texts.roles[role] }
      await record(needs, request, person, { action: 'role_changed', details })
    }
    const isLeaving = person.id === request.visitor.user.id && role !== 'owner'
    return reply.redirect(isLeaving ? HOME : `${TEAM}?feito=papel-alterado`, 303)
  })

  app.get<ById>('/equipe/:id/remover', owners, async (request, reply) =>
    showRemoval(request, reply, await findPerson(needs, request)),
  )

  app.post<ById>('/equipe/:id/remover', owners, async (request, reply) => {
    const person = await findPerson(needs, request)
    const problems = await problemsOf('content', removeUser(db, one(request)))
    if (problems) return showRemoval(request, reply, person, problems)
    await record(needs, request, person, { action: 'user_removed' })
    const isLeaving = person.id === request.visitor.user.id
    return reply.redirect(isLeaving ? SIGN_IN : `${TEAM}?feito=pessoa-removida`, 303)
  })

  function showPerson(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, email, role, totpEnabled, createdAt }: Person,
    errors: Problem[] = [],
  ) {
    return show(request, reply, 'team/person', {
      title: email,
      section: 'equipe',
      errors,
      ...{ email, totpEnabled, href: `${TEAM}/${id}`, since: momentOf(createdAt) },
      isYou: id === request.visitor.user.id,
      roles: rolesOf(role),
    })
  }

  function showRemoval(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, email }: Person,
    errors: Problem[] = [],
  ) {
    const { consequences, ...remove } = words.remove
    const isYou = id === request.visitor.user.id
    const { title, question, button } = isYou ? remove.self : remove.other
    return show(request, reply, 'confirm', {
      ...{ title, section: 'equipe', errors, isDangerous: true },
      question: question(email),
      ...{ consequences, button, action: `${TEAM}/${id}/remover`, back: `${TEAM}/${id}` },
    })
  }
}

/** Of another company is not found. */
async function findPerson({ db }: DashboardNeeds, { visitor, params }: FastifyRequest<ById>) {
  const people = await listUsers(db, visitor.company.id)
  const person = people.find(({ id }) => id === params.id)
  if (!person) throw notFound(userTexts.notFound)
  return person
}

function one({ visitor, params }: FastifyRequest<ById>) {
  return { companyId: visitor.company.id, userId: params.id }
}

function record(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  { id: subjectId, email: subject }: Person,
  done: Pick<NewAuditEntry, 'action' | 'details'>,
) {
  return recordAudit(db, { ...actorOf(request), ...done, subjectId, subject, now: now() })
}

/** That somebody is the last owner is told on the page; whoever is gone meanwhile is not found. */
async function problemsOf(
  field: string,
  changing: Promise<unknown>,
): Promise<Problem[] | undefined> {
  try {
    await changing
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.statusCode !== 409) throw error
    return [{ field, message: error.message }]
  }
}
