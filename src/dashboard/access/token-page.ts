// Shared by the pages without a session: no dashboard layout, a new password, the page of an expired link, and work
// that runs after the answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GetAssetUrl } from '../../http/assets.ts'
import { toRecord } from '../../http/fields.ts'
import { sendView, type Views } from '../../http/html.ts'
import { catchRefusal, passwordField } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { tokenPageTexts } from './texts.ts'

/** A view model of a page outside the dashboard's frame. */
export type TokenPage<Own extends object> = {
  asset: GetAssetUrl
  title: string
  errors: FormError[]
  done: string | null
} & Own

type ExpiredToken = { text: string; again: { href: string; text: string } | null }

type TokenPageName = {
  [Name in keyof Views]: Views[Name] extends TokenPage<object> ? Name : never
}[Extract<keyof Views, `dashboard/access/${string}`>]

type TokenPageParts<Name extends TokenPageName> = Omit<Views[Name], keyof TokenPage<object>> & {
  title: string
  errors?: FormError[]
  done?: string | null
}

/** Renders a view without the dashboard's frame. With errors the status is 422. */
export function createTokenPageRenderer({ asset }: DashboardNeeds) {
  return <Name extends TokenPageName>(
    reply: FastifyReply,
    view: Name,
    { errors = [], ...parts }: TokenPageParts<Name>,
  ) => {
    if (errors.length > 0 && reply.statusCode === 200) reply.code(422)
    return sendView(reply, view, { done: null, errors, ...parts, asset })
  }
}

type RenderTokenPage = ReturnType<typeof createTokenPageRenderer>

/** The link was used, withdrawn, too old or never issued; the page does not say which. */
export function sendExpiredTokenPage(
  show: RenderTokenPage,
  reply: FastifyReply,
  expired: ExpiredToken,
) {
  return show(reply.code(410), 'dashboard/access/expired-token', {
    title: tokenPageTexts.overTitle,
    ...expired,
  })
}

/** The form behind a link, in which a password is chosen. */
type NewPasswordForm = { password: string; isExpired: boolean }

export const NO_PASSWORD: NewPasswordForm = { password: '', isExpired: false }

/** The link of the form has expired: a page says so, and nothing is done. */
export const EXPIRED_FORM = {
  kind: 'invalid' as const,
  errors: [],
  form: { password: '', isExpired: true },
}

export function readNewPassword({ body }: FastifyRequest): NewPasswordForm {
  const { data = '' } = passwordField.safeParse(toRecord(body).password)
  return { password: data, isExpired: false }
}

/** Turns refusals of a chosen password into errors of its field. */
export function catchPasswordErrors<Saved>(choosing: Promise<Saved>) {
  return catchRefusal(choosing, ({ errors }) => errors)
}

/** Logs failures as `failure`; unfinished work is awaited when the program ends. */
export function createBackgroundRunner(
  app: FastifyInstance,
  { log }: DashboardNeeds,
  failure: string,
) {
  const underWay = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(underWay)
  })
  return (work: Promise<void>) => {
    const done = work
      .catch((err: unknown) => log.error({ err }, failure))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }
}
