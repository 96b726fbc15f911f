// `/painel/equipe/convidar`: invites a person. The link is shown once, when it is created.

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ROLES } from '../../database/enums.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { EMAIL_MAX_LENGTH } from '../../http/fields.ts'
import { enforceLimit } from '../../http/limiter.ts'
import { queueMail } from '../../mail/outbox.ts'
import { createInvitation } from '../../users/invitation.ts'
import { normalizeEmail } from '../../users/user.ts'
import { catchConflict, readForm, readTypedFields, type TypedFields } from '../layout/forms/form.ts'
import { type FormRequest, registerForm } from '../layout/forms/register.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { createPageRenderer, type LoadedPage } from '../layout/page.ts'
import { recordAct } from '../layout/security.ts'
import { buildRoleOptions, nameRole } from './list.ts'
import { teamTexts } from './texts.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/team/invite': LoadedPage<typeof toInvitePage>
    'dashboard/team/invited': LoadedPage<typeof sendInvitation>
  }
}

/** Each invitation may send an e-mail, and shows whether an e-mail already has an account. */
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
  const show = createPageRenderer(needs)

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

export function toInvitePage({ mail }: Pick<DashboardNeeds, 'mail'>, typed: TypedFields) {
  return {
    title: words.inviteTitle,
    section: 'equipe' as const,
    typed,
    roles: buildRoleOptions(typed.role),
    isMailed: mail !== null,
  }
}

/** Sends the page with the invitation's link. */
async function sendInvitation(
  needs: DashboardNeeds,
  request: FormRequest,
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
    details: { role: nameRole(role) },
  })
  return {
    title: words.invitedTitle,
    section: 'equipe' as const,
    email,
    role: nameRole(role),
    link,
    isMailed: mail !== null,
  }
}
