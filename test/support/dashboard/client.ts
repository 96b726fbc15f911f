// People of a company at the dashboard: browsers without JavaScript that keep their cookie and send the
// token of their forms.

import type { FastifyInstance, InjectOptions } from 'fastify'
import { findCompany } from '../../../src/companies/company.ts'
import { getSessionCookie } from '../../../src/dashboard/access/session-guard.ts'
import type { Role } from '../../../src/database/enums.ts'
import {
  createSession,
  deriveCsrfToken,
  findSession,
  switchEnvironment,
} from '../../../src/users/session.ts'
import { newUserAddress } from '../people.ts'
import type { TestApp } from '../test-app.ts'
import { writeUser } from '../users.ts'

type ClientOptions = { companyId: string; role?: Role; email?: string }
type FormValues = Record<string, string | string[]>

/** A person of this company, signed in, in the environment that is named. */
export async function openDashboardClient(
  testApp: TestApp,
  { companyId, role = 'owner', email }: ClientOptions,
) {
  const { app, db, needs } = testApp
  const address = email ?? `${role}-${companyId.slice(-12)}@exemplo.com.br`
  const { id } = await writeUser(db, { companyId, email: address, role })
  const now = needs.now()
  const seat = { userId: id, address: '203.0.113.7', userAgent: 'Testes', now }
  const { token, id: sessionId } = await createSession(db, seat)
  const cookies = { [getSessionCookie(needs).name]: token }
  const { testMode } = (await findCompany(db, companyId))!
  await switchEnvironment(db, sessionId, testMode)
  const isTestMode = async () =>
    (await findSession(db, token, needs.now()))?.company.testMode ?? testMode
  const postRaw = (url: string, payload: string | Buffer, type: string) =>
    app.inject({ method: 'POST', url, cookies, payload, headers: { 'content-type': type } })
  return {
    id,
    email: address,
    sessionId,
    csrf: deriveCsrfToken(token, testMode),
    cookie: `${getSessionCookie(needs).name}=${token}`,
    get: (url: string) => app.inject({ url, cookies }),
    /** A list of values is sent as repeated fields. `_csrf` is added. */
    async post(url: string, form: FormValues = {}) {
      const body = new URLSearchParams({ _csrf: deriveCsrfToken(token, await isTestMode()) })
      for (const [name, value] of Object.entries(form)) {
        for (const one of [value].flat()) body.append(name, one)
      }
      return app.inject({
        method: 'POST',
        url,
        cookies,
        payload: body.toString(),
        headers: FORM_HEADERS,
      })
    },
    /** A form with a file; `_csrf` is added. */
    async upload(url: string, form: FormData) {
      form.append('_csrf', deriveCsrfToken(token, await isTestMode()))
      const sent = new Response(form)
      const type = sent.headers.get('content-type')!
      return postRaw(url, Buffer.from(await sent.arrayBuffer()), type)
    },
    postRaw,
    /** The same without the token. */
    postBare: (url: string, form: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url,
        cookies,
        payload: new URLSearchParams(form).toString(),
        headers: FORM_HEADERS,
      }),
  }
}

const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' }

/** A form of somebody who is not signed in, unless `more` says so; from an address of its own. */
export function postForm(
  app: Pick<FastifyInstance, 'inject'>,
  url: string,
  form: Record<string, string>,
  { headers, ...more }: InjectOptions = {},
) {
  return app.inject({
    ...{ method: 'POST', url, payload: new URLSearchParams(form).toString() },
    headers: { ...FORM_HEADERS, ...headers },
    ...{ remoteAddress: newUserAddress(), ...more },
  })
}

/** Somebody of a new company. */
export async function openCompanyClient(testApp: TestApp, role: Role = 'owner') {
  const company = await testApp.newCompany()
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id, role })
  return { company, dashboardClient }
}

export type DashboardClient = Awaited<ReturnType<typeof openDashboardClient>>
