import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { formatLocalInput } from '../../../src/dashboard/layout/local-time.ts'
import { readLinkForm as readSentForm, toLinkInput } from '../../../src/dashboard/links/form.ts'
import {
  FILLED_LINK_FORM,
  openLinkDashboard,
  readFormErrors,
  readLinkForm,
  TAX_ID,
} from '../../support/dashboard/links.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { openClient, create, newCustomer, readLink } = openLinkDashboard(testApp)

const NEW = '/painel/links/novo'
const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

test('a form that is saved as it was changes nothing', async () => {
  const { company, dashboardClient } = await openClient()
  const linkedCustomerId = await newCustomer(company)
  const { id } = await create(company, {
    ...{
      methods: ['credit_card', 'pix'],
      maxInstallments: 6,
      tags: ['a, b', 'c'],
      linkedCustomerId,
    },
    ...{ description: 'Duas\nlinhas', metadata: { 'a=b': 'c' }, maxPayments: 3 },
    expiresAt: new Date(Date.now() + DAY_MS).toISOString(),
  })
  const before = await readLink(id)

  const form = await readLinkForm(dashboardClient, `/painel/links/${id}/editar`)
  const response = await dashboardClient.post(`/painel/links/${id}/editar`, form)

  expect(response.statusCode).toBe(303)
  expect(await readLink(id)).toEqual(before)
  expect(await listAudit(db, company.id, { limit: 5 })).toEqual([])
})

test('only what was touched changes, and it is remembered who did it', async () => {
  const { company, dashboardClient } = await openClient()
  const { id } = await create(company, { tags: ['a, b'], maxPayments: 3, description: 'Some' })
  const form = await readLinkForm(dashboardClient, `/painel/links/${id}/editar`)

  await dashboardClient.post(`/painel/links/${id}/editar`, {
    ...form,
    ...{ title: 'Outro', uses: 'unlimited', description: '' },
  })

  expect(await readLink(id)).toMatchObject({
    ...{ title: 'Outro', maxPayments: null, description: null },
    ...{ tags: ['a, b'], amountCents: 1990 },
  })
  const [entry] = await listAudit(db, company.id, { limit: 5 })
  expect(entry).toMatchObject({ action: 'link_changed', subjectId: id, subject: 'Outro' })
})

test('fewer installments than are without interest are refused at that field, and nothing is cut', async () => {
  const { company, dashboardClient } = await openClient()
  const { id } = await create(company, {
    ...{ methods: ['credit_card'], maxInstallments: 6, interestFreeInstallments: 6 },
  })
  const path = `/painel/links/${id}/editar`
  const form = { ...(await readLinkForm(dashboardClient, path)), maxInstallments: '3' }

  const refused = await dashboardClient.post(path, form)
  const saved = await dashboardClient.post(path, { ...form, interestFreeInstallments: '3' })

  expect(readFormErrors(refused.body)).toEqual([
    ['interestFreeInstallments', expect.stringContaining('Este link vai até 3x.')],
  ])
  expect(saved.statusCode).toBe(303)
  expect(await readLink(id)).toMatchObject({ maxInstallments: 3, interestFreeInstallments: 3 })
})

test.each([
  ['Recife, PE, c, novo', ['Recife, PE', 'c', 'novo']],
  ['novo,Recife,PE', ['novo', 'Recife, PE']],
  ['Recife', ['Recife']],
  ['xRecife, PE', ['xRecife', 'PE']],
  ['Recife, PE, sul', ['Recife, PE, sul']],
  ['a.c, a,, ,', ['a.c', 'a']],
  ['Recife, PE, Recife, PE, c', ['Recife, PE', 'Recife', 'PE', 'c']],
])('a tag with a comma of its own stays one where others are changed: %s', (typed, tags) => {
  const form = { ...readSentForm(FILLED_LINK_FORM), tags: typed }

  expect(toLinkInput(form, null, ['Recife, PE', 'Recife, PE, sul', 'c', ',']).tags).toEqual(tags)
})

test('an expired link is renewed by a later date, and keeps its date when it is not touched', async () => {
  const { company, dashboardClient } = await openClient()
  const { id } = await create(company, { expiresAt: new Date(Date.now() + 60_000).toISOString() })
  clock.offsetMs += HOUR_MS
  const path = `/painel/links/${id}/editar`
  const form = await readLinkForm(dashboardClient, path)

  const kept = await dashboardClient.post(path, { ...form, title: 'Outro' })
  const reopened = await readLinkForm(dashboardClient, path)
  const past = await dashboardClient.post(path, {
    ...{ ...reopened, title: '' },
    expiresAt: formatLocalInput(new Date(Date.now() - 1)),
  })
  const later = formatLocalInput(new Date(Date.now() + 3 * DAY_MS))
  const renewed = await dashboardClient.post(path, { ...reopened, expiresAt: later })
  const page = await dashboardClient.get(`/painel/links/${id}`)

  clock.offsetMs = 0
  expect(kept.headers.location).toContain('link-alterado')
  expect([kept.statusCode, past.statusCode, renewed.statusCode]).toEqual([303, 422, 303])
  expect(readFormErrors(past.body)).toEqual([
    ['title', expect.any(String)],
    ['expiresAt', expect.stringContaining('data futura')],
  ])
  expect(page.body).toContain('badge-good">Ativo')
})

test('a link is linked to a customer from their page, to another by document, and to none', async () => {
  const { company, dashboardClient } = await openClient()
  const maria = await newCustomer(company, { taxId: null })
  const joao = await newCustomer(company, { name: 'João Souza' })

  const page = await dashboardClient.get(`${NEW}?cliente=${maria}`)
  const form = await readLinkForm(dashboardClient, `${NEW}?cliente=${maria}`)
  const { headers } = await dashboardClient.post(NEW, { ...form, ...FILLED_LINK_FORM })
  const id = headers.location!.match(/links\/([\w-]+)/)![1]!
  const first = (await readLink(id)).linkedCustomerId
  const path = `/painel/links/${id}/editar`
  await dashboardClient.post(path, {
    ...(await readLinkForm(dashboardClient, path)),
    customer: TAX_ID,
  })
  const second = (await readLink(id)).linkedCustomerId
  const { keepCustomer: _, ...unticked } = await readLinkForm(dashboardClient, path)
  await dashboardClient.post(path, unticked)

  expect(page.body).toContain('Este link é para Maria Silva')
  expect([first, second]).toEqual([maria, joao])
  expect((await readLink(id)).linkedCustomerId).toBeNull()
})

test('a link that was archived meanwhile is not changed, and what was typed is kept', async () => {
  const { company, dashboardClient } = await openClient()
  const { id } = await create(company, {})
  const form = await readLinkForm(dashboardClient, `/painel/links/${id}/editar`)
  await dashboardClient.post(`/painel/links/${id}/arquivar`)

  const page = await dashboardClient.post(`/painel/links/${id}/editar`, { ...form, title: 'Outro' })

  expect(page.statusCode).toBe(422)
  expect(page.body).toContain('Este link foi arquivado enquanto você editava')
  expect(page.body).toContain('value="Outro"')
})
