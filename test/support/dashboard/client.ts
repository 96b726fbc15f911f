// People of a company at the dashboard: browsers without JavaScript that keep their cookie and send the
// token of their forms.

import type { FastifyInstance, InjectOptions } from 'fastify'
import { getSessionCookie } from '../../../src/dashboard/access/session-guard.ts'
import type { Role } from '../../../src/database/enums.ts'
import { newId } from '../../../src/database/id.ts'
import { addDelay, DAY_MS } from '../../../src/database/instant.ts'
import { deriveCsrfToken, hashToken, newSecretToken } from '../../../src/users/session.ts'
import { newUserAddress } from '../people.ts'
import type { TestApp } from '../test-app.ts'
import { hashTestPassword } from '../users.ts'

type ClientOptions = { companyId: string; role?: Role; email?: string }
type FormValues = Record<string, string | string[]>

/** A user of the real environment, and a session in the environment that is named. */
const NEW_CLIENT = `
  with company as (select * from companies where id = $2),
    person as (
      insert into users (id, company_id, email, role, password_hash)
      select $1, coalesce(test_of, id), $3, $4, $5 from company
    )
  insert into sessions (
    id, token_hash, user_id, test_mode, address, user_agent,
    confirmed_at, created_at, last_seen_at, expires_at
  )
  select $6, $7, $1, test_mode, '203.0.113.7', 'Testes', $8, $8, $8, $9 from company
  returning test_mode`

/** A person of this company, signed in, in the environment that is named. */
export async function openDashboardClient(
  testApp: TestApp,
  { companyId, role = 'owner', email }: ClientOptions,
) {
  const { app, db, needs } = testApp
  const address = email ?? `${role}-${companyId.slice(-12)}@exemplo.com.br`
  const [id, sessionId, token] = [newId(), newId(), newSecretToken()]
  const now = needs.now()
  const made = await db.$client.query<{ test_mode: boolean }>(NEW_CLIENT, [
    ...[id, companyId, address, role, await hashTestPassword()],
    ...[sessionId, hashToken(token), now.toISOString(), addDelay(now, 7 * DAY_MS)],
  ])
  const testMode = made.rows[0]!.test_mode
  const cookies = { [getSessionCookie(needs).name]: token }
  const isTestMode = async () => {
    const { rows } = await db.$client.query<{ test_mode: boolean }>(
      'select test_mode from sessions where id = $1',
      [sessionId],
    )
    return rows[0]?.test_mode ?? testMode
  }
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
