// `/painel/convite/:token`: who was invited chooses a password, and is in.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { texts } from '../../texts.ts'
import { acceptInvitation, findInvitation } from '../../users/invitation.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { HOME_PATH } from '../layout/paths.ts'
import { roleTexts } from '../layout/texts.ts'
import { findVisitor } from './session-guard.ts'
import { startSession } from './start-session.ts'
import { tokenPageTexts } from './texts.ts'
import {
  catchPasswordErrors,
  createTokenPageRenderer,
  readNewPassword,
  sendExpiredTokenPage,
  type TokenRoute,
} from './token-page.ts'

type OpenInvitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

/** Without the session guard. */
export async function invitationPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const showDoor = createTokenPageRenderer(needs)

  app.get<TokenRoute>('/convite/:token', async (request, reply) => {
    const invitation = await findInvitation(db, request.params.token, needs.now())
    return invitation ? showInvitation(request, reply, invitation) : showUsed(reply)
  })

  app.post<TokenRoute>('/convite/:token', async (request, reply) => {
    const { token } = request.params
    const now = needs.now()
    const invitation = await findInvitation(db, token, now)
    if (!invitation) return showUsed(reply)
    const password = readNewPassword(request.body)
    const joined = await catchPasswordErrors(acceptInvitation(db, { token, password }, now))
    if (joined.kind === 'invalid') return showInvitation(request, reply, invitation, joined.errors)
    const accepted = joined.saved
    if (accepted.kind === 'expired' || accepted.kind === 'emailTaken') return showUsed(reply)
    const { id: userId, companyId, email, role } = accepted
    const by = { companyId, actor: email, userId, address: request.ip, now }
    const entry = { ...by, action: 'user_joined', subjectId: userId, subject: email } as const
    if (role === 'owner') await recordSecurityChange(db, needs.mail, entry)
    else await recordAudit(db, entry)
    await startSession(request, reply, needs, userId, { isNew: true })
    return reply.redirect(HOME_PATH, 303)
  })

  async function showInvitation(
    request: FastifyRequest,
    reply: FastifyReply,
    invitation: OpenInvitation,
    errors: FormError[] = [],
  ) {
    const somebody = await findVisitor(request, needs)
    return showDoor(reply, 'dashboard/access/invitation', {
      title: tokenPageTexts.invitationTitle(invitation.companyName),
      errors,
      company: invitation.companyName,
      email: invitation.email,
      role: texts.roles[invitation.role],
      may: roleTexts[invitation.role],
      signedInAs: somebody?.visitor.user.email ?? null,
    })
  }

  function showUsed(reply: FastifyReply) {
    return sendExpiredTokenPage(showDoor, reply, { text: tokenPageTexts.overInvitation })
  }
}
