// `/painel/convite/<token>`: an invited person chooses a password and is signed in.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { texts } from '../../texts.ts'
import { acceptInvitation, findInvitation } from '../../users/invitation.ts'
import { registerForm } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { HOME_PATH } from '../layout/paths.ts'
import { roleTexts } from '../layout/texts.ts'
import { startSession } from './session.ts'
import { findVisitor } from './session-guard.ts'
import { tokenPageTexts } from './texts.ts'
import {
  catchPasswordErrors,
  createTokenPageRenderer,
  EXPIRED_FORM,
  NO_PASSWORD,
  readNewPassword,
  sendExpiredTokenPage,
} from './token-page.ts'

type OpenInvitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

/** Needs no session. */
export async function invitationPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createTokenPageRenderer(needs)

  registerForm(app, '/convite/:id', {
    right: null,
    load: async ({ params }) => ({ open: await findInvitation(db, params.id, needs.now()) }),
    toForm: () => NO_PASSWORD,
    readForm: readNewPassword,
    save: (request, _row, { password }) =>
      joinCompany(needs, request, { token: request.params.id, password }),
    async view(request, reply, { form, errors }, { open }) {
      if (!open || form.isExpired) {
        const over = { text: tokenPageTexts.overInvitation, again: null }
        return sendExpiredTokenPage(show, reply, over)
      }
      const page = await loadInvitationPage(needs, request, open)
      return show(reply, 'dashboard/access/invitation', { ...page, errors })
    },
    async done({ userId }, _row, request, reply) {
      await startSession(request, reply, needs, userId, { isNew: true })
      return reply.redirect(HOME_PATH, 303)
    },
  })
}

async function joinCompany(
  { db, mail, now }: DashboardNeeds,
  { ip: address }: FastifyRequest,
  chosen: { token: string; password: string },
) {
  const joined = await catchPasswordErrors(acceptInvitation(db, chosen, now()))
  if (joined.kind === 'invalid') return joined
  const accepted = joined.saved
  if (accepted.kind === 'expired' || accepted.kind === 'emailTaken') return EXPIRED_FORM
  const { id: userId, companyId, email, role } = accepted
  const by = { companyId, actor: email, userId, address, now: now() }
  const entry = { ...by, action: 'user_joined', subjectId: userId, subject: email } as const
  if (role === 'owner') await recordSecurityChange(db, mail, entry)
  else await recordAudit(db, entry)
  return { kind: 'saved' as const, userId }
}

export async function loadInvitationPage(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { companyName, email, role }: OpenInvitation,
) {
  const signedIn = await findVisitor(request, needs)
  return {
    title: tokenPageTexts.invitationTitle(companyName),
    company: companyName,
    email,
    role: texts.roles[role],
    may: roleTexts[role],
    /** The person who is signed in in this browser. */
    signedInAs: signedIn?.visitor.user.email ?? null,
  }
}
