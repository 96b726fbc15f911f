// `/painel/equipe`: the company's users and invitations. `/convidar`: invites a person by a link, shown once.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ROLES, type Role } from '../../database/enums.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { notFoundError } from '../../http/errors.ts'
import { EMAIL_MAX_LENGTH } from '../../http/fields.ts'
import { enforceLimits } from '../../http/limiter.ts'
import { findUnmailedSubjects, queueMail } from '../../mail/outbox.ts'
import { texts } from '../../texts.ts'
import { createInvitation, listInvitations, withdrawInvitation } from '../../users/invitation.ts'
import { listUsers, normalizeEmail } from '../../users/user.ts'
import {
  catchConflict,
  type FormRequest,
  readForm,
  readTypedFields,
  registerForm,
  registerPage,
  type TypedFields,
} from '../layout/form.ts'
import { type ById, type DashboardNeeds, recordAct, requireRight } from '../layout/needs.ts'
import { TEAM_PATH } from '../layout/paths.ts'
import { roleTexts, sectionTitles } from '../layout/texts.ts'
import { teamTexts } from './texts.ts'

const TEAM = requireRight('team')

const words = teamTexts

const InviteForm = z.object({
  email: z
    .string(words.email)
    .transform(normalizeEmail)
    .pipe(z.email(words.email).max(EMAIL_MAX_LENGTH, words.email)),
  role: z.enum(ROLES, words.role),
})

export async function teamPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs

  registerPage(app, needs, '/equipe', ['team', 'dashboard/team/list'], loadTeam)

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

  registerForm(app, '/equipe/convidar', {
    right: 'team',
    stepUp: true,
    load: async () => null,
    toForm: (_row, { query }) => readTypedFields(query),
    readForm: ({ body }) => readTypedFields(body),
    parse: (typed) => readForm(InviteForm, typed),
    save: (request, _row, values) => catchConflict('email', sendInvitation(needs, request, values)),
    view: (request, reply, { form, errors }) =>
      show(request, reply, 'dashboard/team/invite', { ...toInvitePage(needs, form), errors }),
    done: ({ saved }, _row, request, reply) =>
      show(request, reply, 'dashboard/team/invited', saved),
  })
}

export async function loadTeam({ db, now }: DashboardNeeds, { visitor }: FastifyRequest) {
  const { user } = visitor
  const [people, invitations] = await Promise.all([
    listUsers(db, user.companyId),
    listInvitations(db, user.companyId, now()),
  ])
  const unmailed = await findUnmailedSubjects(
    db,
    invitations.map(({ id }) => id),
  )
  return {
    title: sectionTitles.equipe,
    people: people.map((person) => ({
      ...person,
      isYou: person.id === user.id,
      roleName: nameRole(person.role),
    })),
    invitations: invitations.map((invitation) => ({
      ...invitation,
      roleName: nameRole(invitation.role),
      /** Its e-mail could not be delivered. */
      isUnmailed: unmailed.has(invitation.id),
    })),
  }
}

function nameRole(role: Role): string {
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

/** Each invitation may send an e-mail, and shows whether an e-mail already has an account. */
const INVITATION_LIMIT = { max: 30, windowMs: HOUR_MS }

export function toInvitePage({ mail }: DashboardNeeds, typed: TypedFields) {
  return {
    title: words.inviteTitle,
    typed,
    roles: buildRoleOptions(typed.role),
    isMailed: mail !== null,
  }
}

/** Sends the page with the invitation's link. */
export async function sendInvitation(
  needs: DashboardNeeds,
  request: FormRequest,
  { email, role }: z.output<typeof InviteForm>,
) {
  const { db, limiter, mail, baseUrl, now } = needs
  const { user } = request.visitor
  const { companyId } = user
  const ofCompany = { key: `invite:${companyId}`, limit: INVITATION_LIMIT }
  await enforceLimits(limiter, [ofCompany], words.tooMany)
  const at = now()
  const invitation = { companyId, email, role, invitedBy: user.email }
  const made = await createInvitation(db, invitation, at)
  const link = `${baseUrl}/painel/convite/${made.token}`
  const data = { invitedBy: user.email, role, secretLink: link }
  const newMail = { template: 'invitation', subjectId: made.id, recipient: email, data } as const
  await queueMail(mail, db, { companyId, now: at }, newMail)
  await recordAct(needs, request, {
    action: 'user_invited',
    subjectId: made.id,
    subject: email,
    details: { role: nameRole(role) },
  })
  return {
    title: words.invitedTitle,
    email,
    role: nameRole(role),
    link,
    isMailed: mail !== null,
  }
}
