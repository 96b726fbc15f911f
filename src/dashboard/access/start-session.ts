// What signing in, setting up and joining end with: a session, its cookie, and an entry in the company's log.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { requireFound } from '../../database/found.ts'
import { createSession, findSession } from '../../users/session.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { setSessionCookie } from './session-guard.ts'

export async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  needs: Pick<DashboardNeeds, 'db' | 'baseUrl' | 'now'>,
  userId: string,
) {
  const { db } = needs
  const now = needs.now()
  const { ip: address, headers } = request
  const seat = { userId, address, userAgent: headers['user-agent'], now }
  const { token } = await createSession(db, seat)
  const { user } = requireFound(await findSession(db, token, now))
  const { companyId, email: actor } = user
  await recordAudit(db, { companyId, actor, userId, action: 'sign_in', address, now })
  setSessionCookie(reply, needs, token)
}
