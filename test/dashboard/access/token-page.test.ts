// Into a company by an invitation; what all ways in by a link have in common.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { users } from '../../../src/database/tables.ts'
import { createInvitation } from '../../../src/users/invitation.ts'
import { createPasswordReset } from '../../../src/users/password-reset.ts'
import { findUserByEmail } from '../../../src/users/user.ts'
import { postForm } from '../../support/dashboard/client.ts'
import { requireKind } from '../../support/kind.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock, logged, newCompany } = testApp
const NEW_PASSWORD = 'broa de milho com erva-doce'

let made = 0
const newEmail = () => `gente${++made}@exemplo.com.br`

const send = (url: string, form: Record<string, string>) => postForm(app, url, form)

async function newInvitation(role: 'owner' | 'member' = 'member') {
  const { realId: companyId } = await newCompany('Padaria <Sol>')
  const email = newEmail()
  const wanted = { companyId, email, role, invitedBy: 'ana@exemplo.com.br' }
  const { id, token } = await createInvitation(db, wanted, clock.now())
  return { companyId, email, id, token, path: `/painel/convite/${token}` }
}

test('an invited person sees by whom and as what, chooses a password and is in', async () => {
  const { companyId, email, token, path } = await newInvitation()
  const invented = path.replace(token, 'a'.repeat(43))

  const page = await app.inject(path)
  const answer = await send(path, { password: NEW_PASSWORD })
  const [cookie] = answer.cookies
  const inside = await app.inject({ url: '/painel', cookies: { [cookie!.name]: cookie!.value } })
  const over = [
    ...[await app.inject(path), await app.inject(invented)],
    await send(invented, { password: NEW_PASSWORD }),
  ]

  expect(page.body).toContain('Padaria &lt;Sol&gt;')
  expect(page.body).toContain(email)
  expect(page.body).toContain('Membro')
  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toBe('/painel')
  expect(inside.statusCode).toBe(200)
  expect(inside.body).toContain(email)
  for (const { statusCode, body, cookies } of over) {
    expect([statusCode, cookies]).toEqual([410, []])
    expect(body).toContain('Este link não vale mais')
  }
  expect(await findUserByEmail(db, email)).toMatchObject({ companyId, role: 'member' })
  const entries = await listAudit(db, companyId, { limit: 5 })
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['sign_in', email],
    ['user_joined', email],
  ])
})

test('a password that is refused makes no user, says why, and the invitation stands', async () => {
  const { email, path } = await newInvitation()

  const short = await send(path, { password: 'curta' })
  const own = await send(path, { password: email })
  const none = await send(path, {})

  expect([short, own, none].map(({ statusCode }) => statusCode)).toEqual([422, 422, 422])
  expect(short.body).toContain('Escolha uma senha de 12 a 128 caracteres.')
  expect(short.body).not.toContain('curta')
  expect(own.body).toContain('A senha não pode ser o seu e-mail.')
  expect(await findUserByEmail(db, email)).toBeUndefined()
  expect((await app.inject(path)).statusCode).toBe(200)
})

test('of two who take an invitation at the same time one is in', async () => {
  const { path } = await newInvitation()

  const answers = await Promise.all([1, 2].map(() => send(path, { password: NEW_PASSWORD })))

  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 410])
})

test('the log never holds what opens an invitation or a new password', async () => {
  const { token, path } = await newInvitation()
  const people = await db.select().from(users).limit(1)
  const reset = requireKind(
    await createPasswordReset(db, people[0]!.email, clock.now()),
    'created',
  ).token

  await app.inject(path)
  await app.inject(`/painel/senha/${reset}`)

  const lines = logged.join('\n')
  expect(lines).toContain('/painel/convite/…')
  expect(lines).toContain('/painel/senha/…')
  for (const secret of [token, reset]) expect(lines).not.toContain(secret)
})
