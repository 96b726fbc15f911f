// A session that ends while somebody fills in a form: what was typed comes back after signing in, and is
// carried out by nobody but its person.
import { afterEach, expect, test } from 'vitest'
import { KEPT_FORMS } from '../../../src/dashboard/access/kept-form.ts'
import { listAccountFields } from '../../../src/dashboard/receivables/provider-fields.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { companies, sessions } from '../../../src/database/tables.ts'
import { PIX_API_PRESETS } from '../../../src/providers/pix-api/presets.ts'
import { REAL_PROVIDERS } from '../../../src/providers/registry.ts'
import { confirmTotpSetup, startTotpSetup } from '../../../src/users/two-factor.ts'
import { type DashboardClient, openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { openLinkDashboard } from '../../support/dashboard/links.ts'
import { openPaymentDashboard } from '../../support/dashboard/payments.ts'
import { listTypedForms } from '../../support/dashboard/typed-forms.ts'
import { PUBLIC_HOOK_URL } from '../../support/endpoints.ts'
import { requireKind } from '../../support/kind.ts'
import { generateTotpCode } from '../../support/people.ts'
import { openTestApp } from '../../support/test-app.ts'
import { PASSWORD } from '../../support/users.ts'

const MINUTE_MS = 60_000
const SIGN_IN = '/painel/entrar'

const testApp = await openTestApp()
const { app, db, cipher, clock, stored } = testApp
const { newCustomer } = openLinkDashboard(testApp)
const { company, dashboardClient, maria, bolo } =
  await openPaymentDashboard(testApp).openMerchant('owner')
const customer = await newCustomer(company, { taxId: null })
const made = await company.post('/api/webhook-endpoints', { url: PUBLIC_HOOK_URL })
const endpoint: string = made.json().id
const TYPED = listTypedForms({
  company,
  personId: dashboardClient.id,
  paymentId: maria.id,
  linkId: bolo.id,
  customerId: customer,
  endpointId: endpoint,
})
let people = 0

afterEach(() => {
  clock.offsetMs = 0
})

test('every form that is kept is tried', () => {
  expect(Object.keys(TYPED)).toEqual(Object.keys(KEPT_FORMS))
})

for (const [route, [path, field, value, sentTo]] of Object.entries(TYPED)) {
  test(`${route}: the form comes back after signing in, and nothing is done`, async () => {
    const client = await newClient()
    const { action, form } = await fillIn(client, path, { [field]: value }, sentTo)
    await endSessions(client)

    const met = await send(action, form, isUpload(action))
    const signedIn = await signIn(client, met.body)
    const before = await stored()
    const back = await follow(signedIn)

    expect([met.statusCode, signedIn.statusCode, back.statusCode]).toEqual([401, 307, 200])
    // Not as a part of an id or of what is sealed.
    expect(met.body).not.toMatch(new RegExp(`(?<!\\w)${value}(?!\\w)`))
    expect(back.body).toContain('Aqui está o que você preencheu')
    expect(readForm(back.body, action)[field]).toEqual([value])
    expect(await stored()).toBe(before)
  })
}

test('where a form is sent to is a page, too, for whoever it does not come back to', async () => {
  const client = await newClient()

  for (const [path, , , sentTo = path] of Object.values(TYPED)) {
    const { statusCode } = await client.get(sentTo)
    expect([sentTo, statusCode]).toEqual([sentTo, 200])
  }
})

test('what comes back is sent again as any form, once it is sent by its person', async () => {
  const client = await newClient()
  const { action, form } = await fillIn(client, `/painel/links/${bolo.id}/editar`, {
    title: 'Torta',
  })
  await endSessions(client)
  const signedIn = await signIn(client, (await send(action, form)).body)
  const back = await follow(signedIn)

  const csrf = back.body.match(/name="_csrf" value="([^"]*)"/)![1]!
  const again = { ...readFormFields(back.body, action), _csrf: csrf }
  const saved = await send(action, again, false, signedIn.cookies)

  expect(saved.headers.location).toContain('feito=link-alterado')
})

test('it comes back after the second step, too', async () => {
  const client = await newClient()
  const { secret } = requireKind(await startTotpSetup(db, cipher, client.id), 'started')
  const first = generateTotpCode(secret, clock.now())
  await confirmTotpSetup(db, cipher, client.id, first, clock.now())
  const { action, form } = await fillIn(client, '/painel/clientes/novo', { name: 'Ana Paula' })
  await endSessions(client)
  clock.offsetMs = MINUTE_MS

  const asked = await signIn(client, (await send(action, form)).body)
  const code = generateTotpCode(secret, clock.now())
  const hidden = readFormFields(asked.body, `${SIGN_IN}/codigo`)
  const signedIn = await answer(`${SIGN_IN}/codigo`, { ...hidden, code })
  const back = await follow(signedIn)

  expect([asked.statusCode, signedIn.statusCode]).toEqual([200, 307])
  expect(readFormFields(back.body, action).name).toEqual(['Ana Paula'])
})

test('nobody else gets it, nor its person after half an hour', async () => {
  const client = await newClient()
  const other = await newClient()
  const { action, form } = await fillIn(client, '/painel/clientes/novo', { name: 'Segredo' })
  await endSessions(client)
  const met = await send(action, form)

  const ofOther = await follow(await signIn(other, met.body))
  clock.offsetMs = 30 * MINUTE_MS
  const late = await follow(await signIn(client, met.body))

  for (const { statusCode, headers, body } of [ofOther, late]) {
    expect([statusCode, headers.location]).toEqual([303, action])
    expect(body).not.toContain('Segredo')
  }
})

test('it comes back in the environment that it was filled in', async () => {
  const client = await newClient()
  await db.update(companies).set({ pixProvider: 'pix-api' }).where(eq(companies.id, company.realId))
  const { action, form } = await fillIn(client, '/painel/clientes/novo', { name: 'De teste' })
  await endSessions(client)

  const signedIn = await signIn(client, (await send(action, form)).body)
  const moved = await follow(signedIn)
  const back = await follow(signedIn)

  await db.update(companies).set({ pixProvider: null }).where(eq(companies.id, company.realId))
  expect([moved.statusCode, moved.headers.location]).toEqual([307, action])
  expect(back.body).toContain('AMBIENTE DE TESTE')
  expect(readFormFields(back.body, action).name).toEqual(['De teste'])
})

test('secrets, passwords and files are not kept', async () => {
  const client = await newClient()
  const path = '/painel/recebimentos/mercadopago'
  const { action, form } = await fillIn(client, path, {
    publicKey: 'TEST-1',
    accessToken: 'SEGREDO',
  })
  await endSessions(client)

  const back = await follow(await signIn(client, (await send(action, form, true)).body))
  const kinds = ['secret', 'passphrase', 'pfx', 'pem']
  const secrets = REAL_PROVIDERS.flatMap((provider) =>
    PIX_API_PRESETS.flatMap((preset) => {
      const { main, more } = listAccountFields(provider, preset)
      return [...main, ...more].filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name)
    }),
  )

  expect(back.body).not.toContain('SEGREDO')
  expect(KEPT_FORMS[path]).toEqual(expect.arrayContaining([...new Set(secrets)]))
})

test('a form that waits for the password to be confirmed outlives its session, too', async () => {
  const client = await newClient()
  const { action, form } = await fillIn(client, '/painel/chaves/nova', { name: 'Chave do caixa' })
  clock.offsetMs = 11 * MINUTE_MS
  const { _csrf: _, ...fields } = form
  const asked = await client.post(action, fields)
  const waiting = { ...readFormFields(asked.body, action), stepUp: PASSWORD, _csrf: form._csrf! }
  await endSessions(client)

  const met = await send(action, waiting)
  const back = await follow(await signIn(client, met.body))

  expect([asked.statusCode, met.statusCode, back.statusCode]).toEqual([403, 401, 200])
  expect(readFormFields(back.body, action).name).toEqual(['Chave do caixa'])
})

test('whoever used a button is back where it stands', async () => {
  const path = `/painel/links/${bolo.id}`
  const headers = { referer: `http://localhost${path}?pagina=1` }

  const { location } = (await app.inject({ method: 'POST', url: `${path}/pausar`, headers }))
    .headers

  expect(location).toBe(`${SIGN_IN}?voltar=${encodeURIComponent(`${path}?pagina=1`)}`)
})

type Form = Record<string, string | string[]>

function newClient() {
  const email = `pessoa-${++people}-${company.id.slice(-12)}@exemplo.com.br`
  return openDashboardClient(testApp, { companyId: company.id, email })
}

/** The address has a query, perhaps. */
function readForm(html: string, action: string) {
  return readFormFields(html, action.replace('?', '\\?'))
}

function isUpload(action: string) {
  return /marca|recebimentos\/(?!tarifas)./.test(action)
}

async function fillIn(
  client: DashboardClient,
  path: string,
  typed: Record<string, string>,
  action = path.split('?')[0]!,
) {
  const page = await client.get(path)
  const csrf = page.body.match(/name="_csrf" value="([^"]*)"/)![1]!
  const form: Form = { ...readForm(page.body, action), ...typed, _csrf: csrf }
  return { action, form }
}

async function endSessions({ id }: DashboardClient) {
  await db.delete(sessions).where(eq(sessions.userId, id))
}

type Cookies = { name: string; value: string }[]

async function send(url: string, form: Form, asUpload = false, cookies: Cookies = []) {
  const pairs = Object.entries(form).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  )
  const body = asUpload ? new FormData() : new URLSearchParams()
  for (const [name, value] of pairs) body.append(name, value)
  if (asUpload) (body as FormData).append('arquivo', new Blob(['bytes']), 'arquivo.png')
  const sent = new Response(body)
  return app.inject({
    ...{ method: 'POST', url, payload: Buffer.from(await sent.arrayBuffer()) },
    headers: { 'content-type': sent.headers.get('content-type')! },
    cookies: Object.fromEntries(cookies.map(({ name, value }) => [name, value])),
  })
}

/** Answers a page of the way in, and tells what was sent there. */
async function answer(url: string, form: Form) {
  const { statusCode, body, headers, cookies } = await send(url, form)
  return { statusCode, body, location: String(headers.location), cookies: cookies as Cookies, form }
}

function signIn({ email }: DashboardClient, page: string) {
  return answer(SIGN_IN, { ...readFormFields(page, SIGN_IN), email, password: PASSWORD })
}

/** As browsers follow a 307: the same is sent again, there. */
function follow({ location, form, cookies }: Awaited<ReturnType<typeof answer>>) {
  return send(location, form, false, cookies)
}
