// What a browser keeps of a link for a day, in one cookie per link: its attempts to pay, and of which it has been
// shown that they were approved.
import type { FastifyRequest } from 'fastify'
import { DAY_MS, SECOND_MS } from '../database/instant.ts'

export type Attempt = {
  token: string
  /** When this browser was first shown that it was approved; null where it was not. */
  heardMs: number | null
}

const COOKIE_MAX_AGE_S = DAY_MS / SECOND_MS
const MAX_ATTEMPTS = 8
const ATTEMPT = '[0-9A-Za-z]{24}(?:-[0-9a-z]{1,9})?'
const VISIT_COOKIE = new RegExp(`^${ATTEMPT}(?:\\.${ATTEMPT}){0,${MAX_ATTEMPTS - 1}}$`)
const MS_RADIX = 36

/** The first is the one that its form belongs to; none of a browser that was not here in the last day. */
export function readAttempts({ headers, cookies }: FastifyRequest, slug: string): Attempt[] {
  if (headers.cookie === undefined) return []
  const value = cookies[getVisitCookieName(slug)] ?? ''
  return VISIT_COOKIE.test(value) ? value.split('.').map(parseAttempt) : []
}

type CookieNeeds = { mount: string; secure: boolean }

/** By hand: nothing in it needs to be encoded, and it goes with every page. */
export function buildVisitCookie(
  { mount, secure }: CookieNeeds,
  slug: string,
  attempts: readonly Attempt[],
) {
  const value = attempts.slice(0, MAX_ATTEMPTS).map(formatAttempt).join('.')
  const flags = secure ? 'HttpOnly; Secure; SameSite=Lax' : 'HttpOnly; SameSite=Lax'
  const reach = `Max-Age=${COOKIE_MAX_AGE_S}; Path=${mount}/${slug}; ${flags}`
  return `${getVisitCookieName(slug)}=${value}; ${reach}`
}

function parseAttempt(text: string): Attempt {
  const [token = '', heard] = text.split('-')
  return { token, heardMs: heard === undefined ? null : Number.parseInt(heard, MS_RADIX) }
}

function formatAttempt({ token, heardMs }: Attempt) {
  return heardMs === null ? token : `${token}-${heardMs.toString(MS_RADIX)}`
}

function getVisitCookieName(slug: string) {
  return `vintem_${slug}`
}
