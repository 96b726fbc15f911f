// `/painel/convite/:token`: who was invited chooses a password, and is in.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { texts } from '../../texts.ts'
import { acceptInvitation, findInvitation } from '../../users/invitation.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { Problem } from '../layout/page.ts'
import { HOME } from '../layout/paths.ts'
import { roleTexts } from '../layout/texts.ts'
import { visitorOf } from './session-guard.ts'
import { letIn } from './start-session.ts'
import { tokenPageTexts } from './texts.ts'
import { type ByToken, chosenPassword, doorOf, orFaults, showOver } from './token-page.ts'

type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

/** Before the gate. */
export async function invitationRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const showDoor = doorOf(app, needs)

  app.get<ByToken>('/convite/:token', async (request, reply) => {
    const invitation = await findInvitation(db, request.params.token, needs.now())
    return invitation ? show(request, reply, invitation) : showUsed(reply)
  })

  app.post<ByToken>('/convite/:token', async (request, reply) => {
    const { token } = request.params
    const now = needs.now()
    const invitation = await findInvitation(db, token, now)
    if (!invitation) return showUsed(reply)
    const password = chosenPassword(request.body)
    const joined = await orFaults(acceptInvitation(db, { token, password }, now))
    if (Array.isArray(joined)) return show(request, reply, invitation, joined)
    if (!joined) return showUsed(reply)
    const { id: userId, companyId, email } = joined
    const by = { companyId, actor: email, userId, address: request.ip, now }
    await recordAudit(db, { ...by, action: 'user_joined', subjectId: userId, subject: email })
    await letIn(request, reply, needs, userId)
    return reply.redirect(HOME, 303)
  })

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    invitation: Invitation,
    errors: Problem[] = [],
  ) {
    const somebody = await visitorOf(request, needs)
    return showDoor(reply, 'invitation', {
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
    return showOver(showDoor, reply, { text: tokenPageTexts.overInvitation })
  }
}
