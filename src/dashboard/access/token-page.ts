// What the ways in by a link have in common: pages without the dashboard's frame, a password that is
// chosen, and the page of a link that is over.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../http/errors.ts'
import { sendPage } from '../../http/html.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { tokenPageTexts } from './texts.ts'

export type TokenRoute = { Params: { token: string } }

type TokenPageParts = {
  title: string
  errors?: FormError[]
  done?: string | null
  [part: string]: unknown
}

/** Shows `views/dashboard/<view>.eta` on its own. Errors make it a 422. */
export function createTokenPageRenderer(
  app: FastifyInstance,
  { asset }: Pick<DashboardNeeds, 'asset'>,
) {
  return (reply: FastifyReply, view: string, { errors = [], ...door }: TokenPageParts) => {
    if (errors.length > 0) reply.code(422)
    return sendPage(app, reply, `dashboard/${view}`, { done: null, errors, ...door, asset })
  }
}

export type RenderTokenPage = ReturnType<typeof createTokenPageRenderer>

/** Used, withdrawn, too old or never given out: who holds it need not know which. */
export function sendExpiredTokenPage(
  show: RenderTokenPage,
  reply: FastifyReply,
  { text, again = null }: { text: string; again?: { href: string; text: string } | null },
) {
  return show(reply.code(410), 'link-over', { title: tokenPageTexts.overTitle, text, again })
}

const NewPasswordForm = z.object({ password: z.string().max(1024) })

export function readNewPassword(body: unknown) {
  return NewPasswordForm.safeParse(body).data?.password ?? ''
}

/** What is refused about the password that was chosen, to be shown at its field. */
export async function catchPasswordErrors<T>(choosing: Promise<T>): Promise<T | FormError[]> {
  return choosing.catch((error: unknown) => {
    if (error instanceof AppError && error.errors) return error.errors
    throw error
  })
}
