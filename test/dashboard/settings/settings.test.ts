import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { findCompany } from '../../../src/companies/company.ts'
import { type DashboardClient, openCompanyClient } from '../../support/dashboard/client.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { openCheckout } from '../../support/payer.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db } = testApp
const { newLink } = openCheckout(testApp)

const SETTINGS = '/painel/ajustes'
const CONTACT = '/painel/ajustes/contato'
const MAILS = '/painel/ajustes/emails'

const FILLED = { name: 'Escola Vila', taxId: '11.222.333/0001-81', city: 'Recife' }
const REACHED = {
  supportEmail: 'ajuda@escolavila.com.br',
  supportPhone: '11987654321',
}

const openClient = () => openCompanyClient(testApp)

async function save(
  dashboardClient: DashboardClient,
  filled: Record<string, string>,
  path = SETTINGS,
) {
  const response = await dashboardClient.post(path, filled)
  expect(response.statusCode).toBe(303)
  return readPage(dashboardClient, response.headers.location!)
}

function auditOf({ id }: TestCompany) {
  return listAudit(db, id, { limit: 5 })
}

test('what a company says of itself is on its checkout at once', async () => {
  const { company, dashboardClient } = await openClient()
  const { slug } = await newLink({}, company)
  expect((await app.inject(`/pagar/${slug}`)).body).toContain('Padaria Sol')

  const page = await save(dashboardClient, FILLED)
  await save(dashboardClient, REACHED, CONTACT)

  expect(page).toContain('Ajustes salvos.')
  expect(page).toContain('value="11.222.333/0001-81"')
  await expect
    .poll(async () => (await app.inject(`/pagar/${slug}`)).body)
    .toContain('CNPJ 11.222.333/0001-81')
  const { body } = await app.inject(`/pagar/${slug}`)
  expect(body).toContain('<span class="merchant-name" dir="auto" translate="no">Escola Vila</span>')
  expect(body).toContain('mailto:ajuda@escolavila.com.br')
  expect(body).toContain('tel:11987654321')
  expect(body).not.toContain('Padaria Sol')
  expect(await findCompany(db, company.id)).toMatchObject({ city: 'Recife' })
})

test('what is left empty is cleared, and only what changed is told in the audit log', async () => {
  const { company, dashboardClient } = await openClient()
  await save(dashboardClient, FILLED)
  await save(dashboardClient, REACHED, CONTACT)

  for (let nth = 0; nth < 2; nth++) {
    await save(dashboardClient, { ...FILLED, taxId: ' ', city: 'Olinda' })
    await save(dashboardClient, { supportEmail: '', supportPhone: ' ' }, CONTACT)
  }

  const entries = await auditOf(company)
  expect(entries).toHaveLength(4)
  expect(entries[1]).toMatchObject({
    ...{ action: 'settings_changed', actor: dashboardClient.email, userId: dashboardClient.id },
    details: {
      taxId: 'CNPJ ou CPF: 11.222.333/0001-81 → nenhum',
      city: 'cidade: Recife → Olinda',
    },
  })
  expect(entries[0]).toMatchObject({
    details: {
      supportEmail: 'e-mail de atendimento: ajuda@escolavila.com.br → nenhum',
      supportPhone: 'telefone de atendimento: (11) 98765-4321 → nenhum',
    },
  })
  expect(await findCompany(db, company.id)).toMatchObject({
    ...{ name: 'Escola Vila', taxId: null, supportEmail: null, supportPhone: null },
  })
})

const WRONG: [path: string, typed: Record<string, string>, sentences: string[]][] = [
  [
    SETTINGS,
    { name: ' X ', taxId: '11.222.333/0001-82', city: '' },
    ['Informe o nome da empresa.', 'Informe um CPF ou CNPJ válido.', 'Informe a cidade.'],
  ],
  [
    SETTINGS,
    { name: 'x'.repeat(129), city: 'x'.repeat(65) },
    ['Use no máximo 128 caracteres.', 'Use no máximo 64 caracteres.'],
  ],
  [SETTINGS, { taxId: '360305000104' }, ['Você quis dizer 00.360.305/0001-04?']],
  [SETTINGS, { name: 'Pa\u202edaria' }, ['Remova os caracteres de controle']],
  [
    CONTACT,
    { supportEmail: 'ajuda', supportPhone: '3222-1100', noticeEmail: 'caixa' },
    ['Informe um e-mail válido', 'Informe um telefone com DDD', 'Informe um e-mail válido'],
  ],
]

test('what is wrong is refused at its field and stays there, and nothing changes; phones are kept as people read them', async () => {
  const { company, dashboardClient } = await openClient()
  const before = await findCompany(db, company.id)

  for (const [path, typed, sentences] of WRONG) {
    const form = { ...(path === SETTINGS ? FILLED : REACHED), ...typed }
    const { statusCode, body } = await dashboardClient.post(path, form)

    expect(statusCode).toBe(422)
    expect(readFormErrors(body)).toEqual(
      Object.keys(typed).map((field, i) => [field, expect.stringContaining(sentences[i]!)]),
    )
    for (const value of Object.values(form)) expect(body).toContain(`value="${value}"`)
  }
  expect(await findCompany(db, company.id)).toEqual(before)
  expect(await auditOf(company)).toEqual([])
  for (const [typed, supportPhone] of [
    ['+55 48 99999 1100', '(48) 99999-1100'],
    ['0300 789-123', '0300 789 123'],
    ['40041234', '4004-1234'],
  ] as const) {
    await save(dashboardClient, { supportPhone: typed }, CONTACT)
    expect(await findCompany(db, company.id)).toMatchObject({ supportPhone })
  }
})

test('which e-mails are sent is chosen, and shown as chosen', async () => {
  const { company, dashboardClient } = await openClient()
  const before = await readPage(dashboardClient, MAILS)

  const response = await dashboardClient.post(MAILS, {
    payerEmail: 'auto',
    mailFailures: 'on',
  })
  const after = await readPage(dashboardClient, response.headers.location!)

  expect(response.statusCode).toBe(303)
  expect(boxesIn(before)).toEqual({ mailReceipts: true, mailPayments: true, mailFailures: true })
  expect(boxesIn(after)).toEqual({ mailReceipts: false, mailPayments: false, mailFailures: true })
  expect(await findCompany(db, company.id)).toMatchObject({
    ...{ mailReceipts: false, mailPayments: false, mailFailures: true },
  })
  expect((await auditOf(company))[0]?.details).toMatchObject({
    mailReceipts: 'comprovantes por e-mail: sim → não',
  })
})

function boxesIn(html: string) {
  const boxes = html.matchAll(/<input type="checkbox" id="(\w+)"[^>]*>/g)
  return Object.fromEntries([...boxes].map(([tag, id]) => [id, / checked/.test(tag)]))
}
