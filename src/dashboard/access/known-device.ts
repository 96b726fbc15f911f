// The cookie by which a browser is known to be one that a person signed in from (users/device.ts): one for
// each person, since several may share a browser.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEVICE_VALID_MS, issueDeviceToken } from '../../users/device.ts'
import { normalizeEmail } from '../../users/user.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { getSessionCookie } from './session-guard.ts'

export function readDeviceToken(
  { cookies }: FastifyRequest,
  needs: Pick<DashboardNeeds, 'baseUrl'>,
  email: string,
) {
  return cookies[getDeviceCookie(needs, email).name]
}

/** From now on this browser is one of theirs. */
export async function setDeviceCookie(
  reply: FastifyReply,
  needs: Pick<DashboardNeeds, 'db' | 'cipher' | 'baseUrl' | 'now'>,
  { id, email }: { id: string; email: string },
) {
  const token = await issueDeviceToken(needs.db, needs.cipher, id, needs.now())
  if (!token) return
  const { name, options } = getDeviceCookie(needs, email)
  reply.setCookie(name, token, { ...options, maxAge: DEVICE_VALID_MS / 1000 })
}

function getDeviceCookie(needs: Pick<DashboardNeeds, 'baseUrl'>, email: string) {
  const { name, options } = getSessionCookie(needs)
  const person = createHash('sha256').update(normalizeEmail(email)).digest('hex').slice(0, 12)
  return { name: `${name}-aparelho-${person}`, options }
}
