// Starts a session after signing in, setting up or joining: a cookie, and an entry in the audit log. For an unknown
// browser the person and the owners get an e-mail.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { requireFound } from '../../database/found.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { queueSecurityMail } from '../../mail/security.ts'
import { isDeviceOf } from '../../users/device.ts'
import { createSession, findSession } from '../../users/session.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { describeDevice, readDeviceToken, setDeviceCookie } from './device.ts'
import { setSessionCookie } from './session-guard.ts'

type Newcomer = {
  /** The account was just created, so its first device is not reported. */
  isNew: boolean
}

export async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  needs: Pick<DashboardNeeds, 'db' | 'cipher' | 'baseUrl' | 'now'> & { mail?: Outbox | null },
  userId: string,
  { isNew }: Newcomer,
) {
  const { db, cipher, mail } = needs
  const now = needs.now()
  const { ip: address, headers } = request
  const userAgent = headers['user-agent']
  const { token } = await createSession(db, { userId, address, userAgent, now })
  const { user } = requireFound(await findSession(db, token, now))
  const { companyId, email: actor } = user
  const deviceToken = readDeviceToken(request, needs, actor)
  const isKnown = isNew || (await isDeviceOf(db, cipher, { userId, deviceToken, now }))
  const device = isKnown ? null : describeDevice(userAgent ?? '')
  const details = device === null ? {} : { newDevice: device }
  await recordAudit(db, { companyId, actor, userId, action: 'sign_in', details, address, now })
  if (device !== null) {
    const notice = { companyId, userId, actor, address, device, now }
    const about = { what: 'new_device', subject: null, testMode: false } as const
    await queueSecurityMail(mail, db, { ...notice, ...about })
  }
  setSessionCookie(reply, needs, token)
  await setDeviceCookie(reply, needs, user)
}
