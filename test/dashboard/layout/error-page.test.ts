// What cannot be shown is told within the dashboard, with the menu of who asks; strangers see no menu.
import { expect, test } from 'vitest'
import { ROLES, type Role } from '../../../src/database/enums.ts'
import { newId } from '../../../src/database/id.ts'
import { getEntries } from '../../../src/record.ts'
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

const REFUSED = { finance: 'equipe', member: 'chaves', accountant: 'recebimentos' } as const

test.each(getEntries(REFUSED))(
  'a %s who is refused %s has a menu and a way on',
  async (role, section) => {
    const person = await openPerson(role)

    const { statusCode, body } = await person.get(`/painel/${section}`)
    const { body: home } = await person.get('/painel')

    const menuOf = (html: string) =>
      [...html.slice(html.indexOf(MENU)).matchAll(/<a href="(\/painel[^"]*)"/g)].map(
        ([, href]) => href,
      )
    expect(statusCode).toBe(403)
    expect(menuOf(body).slice(0, 4)).toEqual(menuOf(home).slice(0, 4))
    expect(findLinkHref(body, 'Ir para o início')).toBe('/painel')
    expect(body).not.toContain(`href="/painel/${section}"`)
  },
)

test.each(ROLES)(
  'what a %s does not find leads back to the list that it would be in',
  async (role) => {
    const person = await openPerson(role)

    const { body } = await person.get(`/painel/links/${newId()}`)
    const { body: own } = await person.get('/painel/conta/nada')

    expect(findLinkHref(body, 'Ir para Links')).toBe('/painel/links')
    expect(findLinkHref(own, 'Ir para o início')).toBe('/painel')
    expect(own).not.toContain('Ir para Conta')
  },
)

test('roles that may are named as one says them', async () => {
  const accountant = await openPerson('accountant')

  const { body } = await accountant.get(`/painel/transacoes/${newId()}/devolver`)

  expect(readPageText(body)).toContain('o papel Proprietário ou Financeiro; o seu é Contador')
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

test('the other environment of what is refused is not refused again', async () => {
  const accountant = await openPerson('accountant')

  const { body } = await accountant.get('/painel/equipe')

  expect(body).toContain('name="voltar" value="/painel"')
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
