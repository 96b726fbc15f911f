// What cannot be shown is told within the dashboard, with the menu of who asks; strangers see no menu.
import { expect, test } from 'vitest'
import type { Role } from '../../../src/database/enums.ts'
import { newId } from '../../../src/database/id.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { findLinkHref } from '../../support/dashboard/html.ts'
import { readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, newCompany } = testApp

const MENU = '<nav aria-label="Principal">'

async function openPerson(role: Role) {
  const { id: companyId } = await newCompany('Padaria')
  return openDashboardClient(testApp, { companyId, role })
}

test('what a role does not include says whose it is, and keeps the menu', async () => {
  const accountant = await openPerson('accountant')

  const { statusCode, body } = await accountant.get('/painel/equipe')
  const text = readPageText(body)

  expect(statusCode).toBe(403)
  expect(body).toContain(MENU)
  expect(text).toContain('O seu papel não inclui isto')
  expect(text).toContain('o papel Proprietário; o seu é Contador')
  expect(body).toContain('href="/painel/relatorios"')
  expect(body).not.toContain('href="/painel/equipe"')
})

test('what is not found leads back to the list that it would be in', async () => {
  const person = await openPerson('member')

  const { body } = await person.get(`/painel/links/${newId()}`)
  const { body: own } = await person.get('/painel/conta/nada')

  expect(findLinkHref(body, 'Ir para Links')).toBe('/painel/links')
  expect(findLinkHref(own, 'Ir para o início')).toBe('/painel')
})

test.each(['/painel/nada', '/painel/links/nada/aqui', `/painel/links/${newId()}`])(
  'who is signed in finds the menu at %s, which is nothing',
  async (address) => {
    const owner = await openPerson('owner')

    const { statusCode, body, headers } = await owner.get(address)

    expect(statusCode).toBe(404)
    expect(body).toContain(MENU)
    expect(readPageText(body)).toContain('Página não encontrada')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  },
)

test('the menu shows where one was, and the other environment opens there', async () => {
  const owner = await openPerson('owner')

  const { body } = await owner.get(`/painel/links/${newId()}`)

  expect(body).toMatch(/href="\/painel\/links" aria-current="page"/)
  expect(body).toContain('name="voltar" value="/painel/links"')
})

test('a form for an address that is none is answered the same, whatever it carries', async () => {
  const owner = await openPerson('owner')

  const [sent, bare] = [await owner.post('/painel/nada'), await owner.postBare('/painel/nada')]

  expect([sent.statusCode, bare.statusCode]).toEqual([404, 404])
  expect(sent.body).toContain(MENU)
})

test('a form that came too late is told within the frame', async () => {
  const owner = await openPerson('owner')

  const { statusCode, body } = await owner.postBare('/painel/links/novo')

  expect(statusCode).toBe(403)
  expect(body).toContain(MENU)
  expect(readPageText(body)).toContain('Este formulário venceu')
  expect(findLinkHref(body, 'Abrir o formulário de novo')).toBe('/painel/links/novo')
})

test('of a button that came too late no form is opened: its page is in the list', async () => {
  const owner = await openPerson('owner')

  const { statusCode, body } = await owner.postBare(`/painel/links/${newId()}/pausar`)

  expect(statusCode).toBe(403)
  expect(findLinkHref(body, 'Abrir o formulário de novo')).toBeUndefined()
  expect(findLinkHref(body, 'Ir para Links')).toBe('/painel/links')
})

test('strangers are told that nothing is there, without a menu', async () => {
  const { statusCode, body } = await app.inject('/painel/nada')

  expect(statusCode).toBe(404)
  expect(body).not.toContain(MENU)
  expect(readPageText(body)).toContain('Página não encontrada')
})
