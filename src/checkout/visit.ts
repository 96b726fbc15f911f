// What a browser remembers of a link between visits, in one cookie per link: the attempt its form
// belongs to, so that a second tab is the same attempt, and the last payment, to be resumed.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newToken } from '../database/id.ts'

const DAY_S = 86_400
const SHAPE = /^([0-9A-Za-z]{24})(?:\.([0-9A-Za-z]{24}))?$/

export type Visit = {
  attempt: string
  /** The attempt before, whose payer's data a new form starts with. */
  before: string | null
}

export function readVisit(request: FastifyRequest, slug: string): Visit | undefined {
  const [, attempt, before = null] = request.cookies[cookieName(slug)]?.match(SHAPE) ?? []
  return attempt ? { attempt, before } : undefined
}

export function newVisit(last?: Visit): Visit {
  return { attempt: newToken(), before: last?.attempt ?? null }
}

export function keepVisit(
  reply: FastifyReply,
  { attempt, before }: Visit,
  { slug, mount, secure }: { slug: string; mount: string; secure: boolean },
) {
  reply.setCookie(cookieName(slug), before ? `${attempt}.${before}` : attempt, {
    path: `${mount}/${slug}`,
    maxAge: DAY_S,
    httpOnly: true,
    sameSite: 'lax',
    secure,
  })
}

function cookieName(slug: string) {
  return `vintem_${slug}`
}
