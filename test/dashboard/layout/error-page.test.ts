// Error pages keep the menu for people who are signed in; strangers see no menu.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { findLinkHref } from '../../support/dashboard/html.ts'
import { readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, newCompany } = testApp
const { id: companyId } = await newCompany('Padaria')
const owner = await openDashboardClient(testApp, { companyId })

const MENU = '<nav aria-label="Principal">'

test('what a role does not include says which roles do, and keeps the menu', async () => {
  const accountant = await openDashboardClient(testApp, { companyId, role: 'accountant' })

  const { statusCode, body } = await accountant.get('/painel/equipe')
  const text = readPageText(body)

  expect(statusCode).toBe(403)
  expect(body).toContain(MENU)
  expect(text).toContain('O seu papel não inclui isto')
  expect(text).toContain('o papel Proprietário; o seu é Contador')
  expect(body).toContain('href="/painel/relatorios"')
  expect(body).not.toContain('href="/painel/equipe"')
})

test.each([
  ['/painel/nada', undefined],
  ['/painel/links/nada/aqui', '/painel/links'],
  [`/painel/links/${newId()}`, '/painel/links'],
])(
  'who is signed in finds the menu at %s, which is nothing, and the way to its list',
  async (address, list) => {
    const { statusCode, body, headers } = await owner.get(address)

    expect(statusCode).toBe(404)
    expect(body).toContain(MENU)
    expect(readPageText(body)).toContain('Página não encontrada')
    expect(readPageText(body)).not.toContain('Recurso')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(findLinkHref(body, 'Ir para Links')).toBe(list)
    expect(findLinkHref(body, 'Ir para o início')).toBe('/painel')
    // The menu shows where the person was, and the other environment opens there.
    expect(body).toContain(`name="voltar" value="${list ?? '/painel'}"`)
    expect(body.includes('href="/painel/links" aria-current="page"')).toBe(list !== undefined)
  },
)

test('a form for an address that is none is answered the same, whatever it carries', async () => {
  const [sent, bare] = [await owner.post('/painel/nada'), await owner.postBare('/painel/nada')]

  expect([sent.statusCode, bare.statusCode]).toEqual([404, 404])
  expect(sent.body).toContain(MENU)
})

test('a form that came too late is refused within the frame', async () => {
  const { statusCode, body } = await owner.postBare('/painel/links/novo')

  expect(statusCode).toBe(403)
  expect(body).toContain(MENU)
  expect(readPageText(body)).toContain('Este formulário venceu')
  expect(findLinkHref(body, 'Abrir o formulário de novo')).toBe('/painel/links/novo')
})

test('of a button that came too late no form is opened: its page is in the list', async () => {
  const { statusCode, body } = await owner.postBare(`/painel/links/${newId()}/pausar`)

  expect(statusCode).toBe(403)
  expect(findLinkHref(body, 'Abrir o formulário de novo')).toBeUndefined()
  expect(findLinkHref(body, 'Ir para Links')).toBe('/painel/links')
})

test('strangers read that nothing is there, without a menu', async () => {
  const { statusCode, body } = await app.inject('/painel/nada')

  expect(statusCode).toBe(404)
  expect(body).not.toContain(MENU)
  expect(readPageText(body)).toContain('Página não encontrada Não há nada neste endereço.')
})
