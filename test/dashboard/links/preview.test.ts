import { expect, test } from 'vitest'
import { findCompany } from '../../../src/companies/company.ts'
import { createBlankLinkForm, type LinkForm } from '../../../src/dashboard/links/form.ts'
import { buildLinkPreview } from '../../../src/dashboard/links/preview.ts'
import {
  FILLED_LINK_FORM,
  openLinkDashboard,
  readFormErrors,
} from '../../support/dashboard/links.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { openClient, create, linksOf } = openLinkDashboard(testApp)
const known = (await findCompany(testApp.db, (await testApp.newCompany()).id))!
const company = { ...known, interestRateBps: 299, minInstallmentCents: 3_000 }

/** Of R$ 100,00 in up to 12 installments, in words with plain blanks. */
function preview(typed: Partial<LinkForm>, terms: Partial<typeof company> = {}) {
  const by = { ...company, ...terms }
  const form = { ...createBlankLinkForm(by, null), amount: '100,00', maxInstallments: '12' }
  const shown = buildLinkPreview({ ...form, ...typed }, by)
  return shown && JSON.parse(JSON.stringify(shown).replaceAll('\u00a0', ' '))
}

test('the preview says what the payer will choose from, on the terms of the company', () => {
  const charged = preview({ interestMode: 'pass_to_customer' })
  const free = preview({ interestMode: 'absorb' })
  const some = preview({
    ...{ interestMode: 'pass_to_customer', interestFreeInstallments: '2', pixDiscount: '7,5' },
  })

  expect(charged).toMatchObject({ pix: 'R$ 100,00 no Pix', least: 'R$ 30,00', rate: '2,99%' })
  expect(charged.installments).toHaveLength(3)
  expect(charged.installments[2]).toBe('3x de R$ 35,35 com juros (total R$ 106,05)')
  expect(free.installments[2]).toBe('3x de R$ 33,33 sem juros (primeira de R$ 33,34)')
  expect(some.pix).toBe('R$ 92,50 no Pix (7,5% de desconto)')
  expect(some.installments.slice(1)).toEqual([
    '2x de R$ 50,00 sem juros',
    '3x de R$ 35,35 com juros (total R$ 106,05)',
  ])
})

test('what cannot be read yet is as if it was not typed', () => {
  expect(preview({ amount: '<script>' })).toBeNull()
  expect(preview({ methods: [] })).toMatchObject({ pix: null, installments: [] })
  const most = preview({ maxInstallments: '1e9' }, { minInstallmentCents: 1 })
  expect(most.installments).toHaveLength(12)
})

test('the preview follows what is typed; without JavaScript a button shows it, and nothing is saved', async () => {
  const { company: owner, dashboardClient } = await openClient()
  const { id } = await create(owner)
  const typed = { ...FILLED_LINK_FORM, title: '', amount: '50', preview: 'sim' }

  const fragment = await dashboardClient.get('/painel/links/previa?amount=50&methods=pix')
  const fresh = await dashboardClient.post('/painel/links/novo', typed)
  const edited = await dashboardClient.post(`/painel/links/${id}/editar`, typed)

  expect(fragment.body).not.toContain('<html')
  for (const { statusCode, body } of [fragment, fresh, edited]) {
    expect(statusCode).toBe(200)
    expect(body).toMatch(/R\$\s50,00 no Pix</)
    expect(readFormErrors(body)).toEqual([])
  }
  expect(await linksOf(owner)).toMatchObject([{ title: 'Bolo de cenoura', amountCents: 1990 }])
})
