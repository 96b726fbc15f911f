// `/painel/equipe/convidar`: somebody is invited. The link is seen only on the answer that makes it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ROLES } from '../../database/enums.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { EMAIL_MAX_LENGTH } from '../../http/fields.ts'
import { enforceLimit } from '../../http/limiter.ts'
import { queueMail } from '../../mail/outbox.ts'
import { texts } from '../../texts.ts'
import { createInvitation } from '../../users/invitation.ts'
import { normalizeEmail } from '../../users/user.ts'
import { catchConflict, readForm, readTypedFields, type TypedFields } from '../layout/forms/form.ts'
import { type DashboardNeeds, requireRight, STEP_UP } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { recordAct } from '../layout/security.ts'
import { buildRoleOptions } from './list.ts'
import { teamTexts } from './texts.ts'

const TEAM_STEP_UP = requireRight('team', STEP_UP)

/** Each may be a mail to somebody, and tells whether an e-mail can have an account here. */
const INVITATION_LIMIT = { max: 30, windowMs: HOUR_MS }

const words = teamTexts

const InviteForm = z.object({
  email: z
    .string(words.email)
    .transform(normalizeEmail)
    .pipe(z.email(words.email).max(EMAIL_MAX_LENGTH, words.email)),
  role: z.enum(ROLES, words.role),
})

export async function teamInvitePages(app: FastifyInstance, needs: DashboardNeeds) {
  const { mail } = needs
  const show = createPageRenderer(needs)

  app.get('/equipe/convidar', TEAM_STEP_UP, (request, reply) =>
    showInvitationForm(request, reply, readTypedFields(request.query)),
  )

  app.post('/equipe/convidar', TEAM_STEP_UP, async (request, reply) => {
    const typed = readTypedFields(request.body)
    const form = readForm(InviteForm, request.body)
    if (form.kind === 'invalid') return showInvitationForm(request, reply, typed, form.errors)
    const { values } = form
    const sent = await catchConflict('email', sendInvitation(needs, request, values))
    if (sent.kind === 'invalid') return showInvitationForm(request, reply, typed, sent.errors)
    const link = sent.saved
    return show(request, reply, 'dashboard/team/invited', {
      title: words.invitedTitle,
      section: 'equipe',
      ...{ email: values.email, role: texts.roles[values.role], link, isMailed: mail !== null },
    })
  })

  function showInvitationForm(
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

/** Answers the invitation's link. */
async function sendInvitation(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { email, role }: z.output<typeof InviteForm>,
) {
  const { db, limiter, mail, baseUrl, now } = needs
  const { user } = request.visitor
  const { companyId } = user
  await enforceLimit(limiter, `invite:${companyId}`, INVITATION_LIMIT, words.tooMany)
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
    details: { role: texts.roles[role] },
  })
  return link
}
