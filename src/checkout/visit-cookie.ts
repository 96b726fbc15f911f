// The cookie that a browser keeps for a link for a day: its attempts to pay, and which approvals it has shown.
import type { FastifyRequest } from 'fastify'
import { isDerivedToken } from '../database/id.ts'
import { DAY_MS, SECOND_MS } from '../database/instant.ts'

export type Attempt = {
  token: string
  /** When this browser first showed the approval; null when it has not. */
  approvalSeenMs: number | null
}

const COOKIE_MAX_AGE_S = DAY_MS / SECOND_MS
const MAX_ATTEMPTS = 8
const ATTEMPT = '[0-9A-Za-z]{24}(?:-[0-9a-z]{1,9})?'
const VISIT_COOKIE = new RegExp(`^${ATTEMPT}(?:\\.${ATTEMPT}){0,${MAX_ATTEMPTS - 1}}$`)
const MS_RADIX = 36

/** The first attempt belongs to the current form; empty for a browser without a visit in the last day. */
export function readAttempts({ headers, cookies }: FastifyRequest, slug: string): Attempt[] {
  if (headers.cookie === undefined) return []
  const value = cookies[getVisitCookieName(slug)] ?? ''
  return VISIT_COOKIE.test(value) ? value.split('.').map(parseAttempt) : []
}

/** Written by hand, since nothing in it needs encoding and it is sent with every page. */
export function buildVisitCookie(
  { mount, secure }: { mount: string; secure: boolean },
  slug: string,
  attempts: readonly Attempt[],
) {
  const value = cutAttempts(attempts).map(formatAttempt).join('.')
  const flags = secure ? 'HttpOnly; Secure; SameSite=Lax' : 'HttpOnly; SameSite=Lax'
  const reach = `Max-Age=${COOKIE_MAX_AGE_S}; Path=${mount}/${slug}; ${flags}`
  return `${getVisitCookieName(slug)}=${value}; ${reach}`
}

/** The oldest are left out, but not the last form that was sent: renewals of its code have nothing typed. */
function cutAttempts([current, ...earlier]: readonly Attempt[]) {
  const sent = earlier.find(({ token }) => !isDerivedToken(token))
  const others = earlier.filter((attempt) => attempt !== sent)
  return [current, sent, ...others].filter((one) => one !== undefined).slice(0, MAX_ATTEMPTS)
}

function parseAttempt(text: string): Attempt {
  const [token = '', seenAt] = text.split('-')
  return { token, approvalSeenMs: seenAt === undefined ? null : Number.parseInt(seenAt, MS_RADIX) }
}

function formatAttempt({ token, approvalSeenMs }: Attempt) {
  return approvalSeenMs === null ? token : `${token}-${approvalSeenMs.toString(MS_RADIX)}`
}

function getVisitCookieName(slug: string) {
  return `vintem_${slug}`
}
