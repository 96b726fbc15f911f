// `/painel/equipe/convidar`: somebody is invited. The link is seen only on the answer that makes it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../companies/audit.ts'
import { ROLES } from '../../database/enums.ts'
import { AppError, tooManyRequests } from '../../http/errors.ts'
import { queueInvitation } from '../../mail/people.ts'
import { texts } from '../../texts.ts'
import { invite } from '../../users/invitation.ts'
import { emailKey } from '../../users/user.ts'
import { readForm, readTypedFields, type TypedFields } from '../layout/form.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { buildRoleOptions } from './list.ts'
import { teamTexts } from './texts.ts'

/** Each may be a mail to somebody, and tells whether an e-mail can have an account here. */
const INVITATION_LIMIT = { max: 30, windowMs: 60 * 60_000 }

const OWNERS_ONLY = { config: { owners: true } }
const words = teamTexts

const InviteForm = z.object({
  email: z.string(words.email).transform(emailKey).pipe(z.email(words.email).max(254, words.email)),
  role: z.enum(ROLES, words.role),
})

export async function teamInvitePages(app: FastifyInstance, needs: DashboardNeeds) {
  const { mail } = needs
  const show = createPageRenderer(app, needs)

  app.get('/equipe/convidar', OWNERS_ONLY, (request, reply) =>
    showForm(request, reply, readTypedFields(request.query)),
  )

  app.post('/equipe/convidar', OWNERS_ONLY, async (request, reply) => {
    const typed = readTypedFields(request.body)
    const { values, errors } = readForm(InviteForm, request.body)
    if (errors) return showForm(request, reply, typed, errors)
    const link = await sendInvitation(needs, request, values)
    if (Array.isArray(link)) return showForm(request, reply, typed, link)
    return show(request, reply, 'dashboard/team/invited', {
      title: words.invitedTitle,
      section: 'equipe',
      ...{ email: values.email, role: texts.roles[values.role], link, isMailed: mail !== null },
    })
  })

  function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    typed: TypedFields,
    errors: FormError[] = [],
  ) {
    const shown = { typed, roles: buildRoleOptions(typed.role), isMailed: mail !== null }
    const title = words.inviteTitle
    return show(request, reply, 'dashboard/team/invite', {
      title,
      section: 'equipe',
      errors,
      ...shown,
    })
  }
}

/** The invitation's link, or what the domain has against the e-mail. */
async function sendInvitation(
  { db, limiter, mail, baseUrl, now }: DashboardNeeds,
  request: FastifyRequest,
  { email, role }: z.output<typeof InviteForm>,
): Promise<string | FormError[]> {
  const { company, user } = request.visitor
  const { exceeded, retryAfterMs } = await limiter.hit(`invite:${company.id}`, INVITATION_LIMIT)
  if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), words.tooMany)
  const at = now()
  const invitation = { companyId: company.id, email, role, invitedBy: user.email }
  const made = await invite(db, invitation, at).catch(toInviteErrors)
  if (Array.isArray(made)) return made
  const link = `${baseUrl}/painel/convite/${made.token}`
  await queueInvitation(mail, db, { ...invitation, link, now: at })
  const subject = { subjectId: made.id, subject: email, details: { role: texts.roles[role] } }
  await recordAudit(db, { ...getAuditActor(request), action: 'user_invited', ...subject, now: at })
  return link
}

function toInviteErrors(error: unknown): FormError[] {
  if (!(error instanceof AppError) || error.statusCode !== 409) throw error
  return [{ field: 'email', message: error.message }]
}
