import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { auditEntries } from '../../../src/database/tables.ts'
import { openDashboardClient, postForm } from '../../support/dashboard/client.ts'
import { generateTotpCode, openUsers } from '../../support/people.ts'
import { openTestApp } from '../../support/test-app.ts'
import { PASSWORD, writeUser } from '../../support/users.ts'

const testApp = await openTestApp()
const { app, db, needs, clock, newCompany } = testApp
const { newCodePerson } = openUsers(testApp)

/** Addresses that no sign-in leads to. */
const AWAY = [
  ...['//evil.example', 'https://evil.example', '/painel\\evil', '/pagar/x', 'javascript:1'],
  '/painel/..//evil',
]

async function newPerson() {
  const company = await newCompany()
  const email = `dona-${company.id.slice(-12)}@exemplo.com.br`
  const { id } = await writeUser(db, { companyId: company.id, email, role: 'owner' })
  return { company, email, id }
}

const send = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  postForm(app, url, form, { headers })

test('with the right password a person comes in, and the page they wanted opens', async () => {
  const { email, company } = await newPerson()
  const page = await app.inject('/painel/entrar')

  const answer = await send('/painel/entrar', {
    ...{ email, password: PASSWORD, voltar: '/painel/links?status=active' },
  })

  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  })
  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toBe('/painel/links?status=active')
  expect(answer.cookies).toMatchObject([
    { name: 'painel', httpOnly: true, sameSite: 'Lax', path: '/' },
    { name: expect.stringMatching(/^painel-aparelho-/), httpOnly: true, sameSite: 'Lax' },
  ])
  const entries = await db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.companyId, company.realId))
  expect(entries).toMatchObject([{ actor: email, action: 'sign_in' }])
})

test('a wrong password and an unknown e-mail read the same', async () => {
  const { email } = await newPerson()

  const wrong = await send('/painel/entrar', { email, password: 'nada disso aqui' })
  const unknown = await send('/painel/entrar', { email: 'ninguem@exemplo.com.br', password: 'x' })

  const bare = (body: string, typed: string) => body.replaceAll(typed, '')
  expect([wrong.statusCode, unknown.statusCode]).toEqual([422, 422])
  expect(bare(wrong.body, email)).toBe(bare(unknown.body, 'ninguem@exemplo.com.br'))
  expect(wrong.body).toContain('E-mail ou senha incorretos.')
  expect(wrong.body).toContain(`value="${email}"`)
  expect(wrong.cookies).toEqual([])
  const voltar = '//evil.example'
  const right = await send('/painel/entrar', { email, password: PASSWORD, voltar })
  expect(right.headers.location).toBe('/painel')
})

test('who tried too often is told so by the form, which keeps the way back', async () => {
  const { email } = await newPerson()
  const form = { email, password: 'errada, errada', voltar: '/painel/links' }
  const answers = []

  for (let nth = 0; nth < 11; nth += 1) answers.push(await send('/painel/entrar', form))

  const { statusCode, headers, body } = answers.at(-1)!
  expect(statusCode).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(body).toContain('Muitas tentativas de entrar')
  for (const value of [email, '/painel/links']) expect(body).toContain(`value="${value}"`)
})

test('a person with the second step on gives its code, once', async () => {
  const { person, secret } = await newCodePerson(clock.now())

  const asked = await send('/painel/entrar', { email: person.email, password: PASSWORD })
  const ticket = asked.body.match(/name="ticket" value="([^"]+)"/)![1]!
  const code = generateTotpCode(secret, clock.now())
  const wrong = await send('/painel/entrar/codigo', { ticket, code: '000000' })
  const right = await send('/painel/entrar/codigo', { ticket, code })
  const again = await send('/painel/entrar/codigo', { ticket, code })

  expect(asked.cookies).toEqual([])
  expect([wrong, right, again].map(({ statusCode }) => statusCode)).toEqual([422, 303, 422])
  expect(right.cookies[0]!.name).toBe('painel')
})

test('a stranger is sent to sign in and then back', async () => {
  const page = await app.inject('/painel/links?q=bolo')
  const form = await send('/painel/links/novo', { title: 'x' })
  expect(page.statusCode).toBe(303)
  const from = { referer: 'http://localhost:80/painel/links?q=bolo' }
  const table = await app.inject({ url: '/painel/links.csv?q=bolo', headers: from })

  for (const { headers } of [page, table]) {
    expect(headers.location).toBe('/painel/entrar?voltar=%2Fpainel%2Flinks%3Fq%3Dbolo')
  }
  expect(form.headers.location).toBe('/painel/entrar?voltar=%2Fpainel%2Flinks%2Fnovo&enviado=sim')
})

test('on https the cookie is secure and bound to its host', async () => {
  const { email } = await newPerson()
  const secure = await testApp.anotherProcess({ baseUrl: 'https://vintem.example.com' })

  const answer = await postForm(secure, '/painel/entrar', { email, password: PASSWORD })

  expect(answer.cookies).toMatchObject([
    { name: '__Host-painel', secure: true, path: '/' },
    { name: expect.stringMatching(/^__Host-painel-aparelho-/), secure: true, path: '/' },
  ])
  expect(needs.baseUrl).toBe('http://localhost:3000')
})

test('a person who signed in in another tab meanwhile is led to the page that they wanted', async () => {
  const { id: companyId } = await newCompany()
  const dashboardClient = await openDashboardClient(testApp, { companyId })

  const signInTo = async (voltar: string) =>
    (await dashboardClient.get(`/painel/entrar?${new URLSearchParams({ voltar })}`)).headers
      .location

  expect(await signInTo('/painel/links?q=bolo')).toBe('/painel/links?q=bolo')
  for (const away of AWAY) expect([away, await signInTo(away)]).toEqual([away, '/painel'])
})

test('a form of another session does nothing, and leads to the form anew', async () => {
  const { email, company } = await newPerson()
  const other = await openDashboardClient(testApp, { companyId: company.id, role: 'member' })
  const path = '/painel/links/novo'
  const credentials = { email, password: PASSWORD }
  const readCookie = ({ cookies }: Awaited<ReturnType<typeof send>>) =>
    `painel=${cookies[0]!.value}`
  const before = { cookie: readCookie(await send('/painel/entrar', credentials)) }
  const { body } = await app.inject({ url: path, headers: before })
  const _csrf = body.match(/name="_csrf" value="([^"]+)"/)![1]!
  const typed = { _csrf, title: 'Bolo de fubá', amount: '19,90', methods: 'pix' }
  const after = { cookie: readCookie(await send('/painel/entrar', credentials)) }

  const returned = await send(path, typed, after)
  const refused = await other.postBare(path, typed)

  for (const { statusCode, body: page } of [returned, refused]) {
    expect(statusCode).toBe(403)
    expect(page).toContain('Este formulário venceu, e nada foi feito.')
    expect(page).toContain(`href="${path}"`)
  }
  expect((await company.get('/api/payment-links')).json().data).toEqual([])
})

test.each([
  ['/painel/links/novo', '/painel/links/novo', '/painel/links/novo'],
  ['/painel/recebimentos/pix-api', '/painel/recebimentos/pix-api?banco=efi', undefined],
  ['/painel/links/lote', '/painel/links?q=bolo', undefined],
])(
  'what is sent to %s when the session is over does nothing, and leads back to its page after signing in',
  async (url, page, ownPage) => {
    const { email } = await newPerson()
    const headers = ownPage ? {} : { referer: `http://localhost${page}` }

    const sent = await app.inject({ method: 'POST', url, headers })
    const asked = await app.inject({ url: String(sent.headers.location) })
    const form = { voltar: page, email, password: PASSWORD }
    const signedIn = await send('/painel/entrar', form)

    expect(sent.statusCode).toBe(303)
    expect(asked.body).toContain('o que você enviou não foi salvo')
    expect(asked.body).toContain(`name="voltar" value="${page}"`)
    expect(signedIn.headers.location).toBe(page)
  },
)
