// `/painel/equipe/:id`: one person of the company, what they may do, and their removal.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ROLES, type Role } from '../../database/enums.ts'
import { notFoundError } from '../../http/errors.ts'
import { texts } from '../../texts.ts'
import { hasRight } from '../../users/roles.ts'
import { userTexts } from '../../users/texts.ts'
import {
  listUsers,
  removeUser,
  updateUserRole,
  type WithdrawnInvitations,
} from '../../users/user.ts'
import {
  catchConflict,
  type FormRequest,
  readForm,
  readTypedFields,
  registerConfirmation,
  registerForm,
} from '../layout/form.ts'
import { type DashboardNeeds, recordAct, recordSecurityAct } from '../layout/needs.ts'
import { HOME_PATH, personPagePath, SIGN_IN_PATH, TEAM_PATH } from '../layout/paths.ts'
import { saveVersionedForm } from '../layout/versioned.ts'
import { buildRoleOptions } from './list.ts'
import { teamTexts } from './texts.ts'

type TeamMember = Awaited<ReturnType<typeof listUsers>>[number]

const words = teamTexts

const RoleForm = z.object({ role: z.enum(ROLES, words.role) })

export async function teamPersonPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs

  registerForm(app, '/equipe/:id', {
    right: 'team',
    stepUp: true,
    load: (request) => findTeamMember(needs, request),
    toValues: toRoleValues,
    toForm: ({ role }): { role: string } => ({ role }),
    readForm: ({ body }) => ({ role: readTypedFields(body).role ?? '' }),
    parse: (typed) => readForm(RoleForm, typed),
    save: (request, _person, { role }) => changeRole(needs, request, role),
    view: (request, reply, { form, ...shown }, person) =>
      show(request, reply, 'dashboard/team/person', {
        ...buildPersonPage(request, person, form.role),
        ...shown,
      }),
    done: (outcome) =>
      outcome.kind === 'saved' && outcome.isLeaving
        ? HOME_PATH
        : `${TEAM_PATH}?feito=papel-alterado`,
  })

  registerConfirmation(app, '/equipe/:id/remover', show, {
    right: 'team',
    stepUp: true,
    load: (request) => findTeamMember(needs, request),
    ask({ id, email }, request) {
      const { self, other, consequences } = words.remove
      const { title, question, button } = id === request.visitor.user.id ? self : other
      return {
        title,
        isDangerous: true,
        question: question(email),
        consequences,
        button,
        back: personPagePath(id),
      }
    },
    async confirm(request, { id, email }) {
      await recordWithdrawn(needs, request, await removeUser(db, toUserKey(request)))
      await recordSecurityAct(needs, request, {
        action: 'user_removed',
        subjectId: id,
        subject: email,
        formerEmail: email,
      })
      const isLeaving = id === request.visitor.user.id
      return isLeaving ? SIGN_IN_PATH : `${TEAM_PATH}?feito=pessoa-removida`
    },
  })
}

export function buildPersonPage(
  { visitor }: FormRequest,
  { id, email, totpEnabled, createdAt }: TeamMember,
  role: string,
) {
  return {
    title: email,
    email,
    totpEnabled,
    href: personPagePath(id),
    createdAt,
    isYou: id === visitor.user.id,
    roles: buildRoleOptions(role),
  }
}

/** Audits and mails the change, unless another person changed the role since the page was shown. */
async function changeRole(needs: DashboardNeeds, request: FormRequest, role: Role) {
  const subjectId = request.params.id
  const saving = saveVersionedForm(needs, request, {
    find: () => findTeamMember(needs, request),
    toValues: toRoleValues,
    describe: (values) => ({ role: texts.roles[values.role] }),
    labels: { role: words.roleLabel },
    typed: { role },
    audited: { action: 'role_changed', subjectId },
    async save({ email, role: before }, { details }) {
      const changed = await updateUserRole(needs.db, { ...toUserKey(request), before, role })
      if (!changed) return undefined
      await recordWithdrawn(needs, request, changed)
      const change = { action: 'role_changed', subjectId, subject: email, details } as const
      await recordSecurityAct(needs, request, { ...change, concerns: subjectId })
      const isLeaving = subjectId === request.visitor.user.id && !hasRight(role, 'team')
      return { kind: 'saved', isLeaving } as const
    },
  })
  const outcome = await catchConflict('role', saving)
  return outcome.kind === 'saved' ? outcome.saved : outcome
}

const toRoleValues = ({ role }: Pick<TeamMember, 'role'>) => ({ role })

/** Throws 404 when the person belongs to another company. */
async function findTeamMember({ db }: DashboardNeeds, { visitor, params }: FormRequest) {
  const people = await listUsers(db, visitor.user.companyId)
  const person = people.find(({ id }) => id === params.id)
  if (!person) throw notFoundError(userTexts.notFound)
  return person
}

function toUserKey({ visitor, params }: FormRequest) {
  return { companyId: visitor.user.companyId, userId: params.id }
}

async function recordWithdrawn(
  needs: DashboardNeeds,
  request: FormRequest,
  { withdrawn }: WithdrawnInvitations,
) {
  for (const { id: subjectId, email: subject } of withdrawn)
    await recordAct(needs, request, { action: 'invitation_withdrawn', subjectId, subject })
}
