// What a company tells of its providers' fees, from the form to the payments that are approved after it.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { findCompanyPair } from '../../../src/companies/company.ts'
import { findPayoutTerms } from '../../../src/companies/payout-terms.ts'
import { requireFound } from '../../../src/database/found.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { buildTestCard, openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)

const FEES = '/painel/recebimentos/tarifas'
const PIX = { pixRate: '0,99', pixFixed: '', pixDays: '0' }
const CARD = { card1Rate: '3,19', card1Fixed: '0,39', cardPayout: 'days', cardDays: '30' }

async function openClient() {
  const company = await newCompany()
  const client = await openDashboardClient(testApp, { companyId: company.id, role: 'finance' })
  return { company, client }
}

test('what is told stands in the form again, and holds for the next payment', async () => {
  const { company, client } = await openClient()
  const link = await newLink({ maxInstallments: 12 }, company)
  const { row: before } = await pay(link, buildTestCard('ok'))
  const told = { ...PIX, ...CARD, card2Rate: '4,59', card7Rate: '5,1', cardPayout: 'installments' }

  const saved = await client.post(FEES, told)
  const html = await readPage(client, saved.headers.location!)
  const { row: one } = await pay(link, buildTestCard('ok'))
  const { row: six } = await pay(link, buildTestCard('ok', { installments: 6 }))

  expect(saved.statusCode).toBe(303)
  expect(readPageText(html)).toContain('Tarifas e prazos salvos.')
  const shown = [
    ['pixRate', '0,99'],
    ['pixFixed', '0,00'],
    ['pixDays', '0'],
    ['card1Rate', '3,19'],
    ['card1Fixed', '0,39'],
    ['card2Rate', '4,59'],
    ['card2Fixed', '0,00'],
    ['card3Rate', ''],
    ['card7Rate', '5,10'],
    ['cardPayout', 'installments'],
    ['cardDays', ''],
  ]
  const fields = readFormFields(html, FEES)
  for (const [name, value] of shown) expect(fields[name!]).toEqual([value])
  expect(before).toMatchObject({ feeCents: null, expectedOn: null })
  expect(one).toMatchObject({ feeCents: 319 + 39, payoutParts: 1 })
  expect(six).toMatchObject({ feeCents: 459, payoutParts: 6 })
})

test('what is emptied is not known any more', async () => {
  const { company, client } = await openClient()
  await client.post(FEES, { ...PIX, ...CARD })

  await client.post(FEES, { pixRate: '', pixFixed: '', pixDays: '', ...CARD })

  expect(await findPayoutTerms(db, company.id)).toMatchObject({ pix: null, credit_card: {} })
})

test('each environment has its own', async () => {
  const { company, client } = await openClient()
  await client.post(FEES, PIX)

  const { real, test } = requireFound(await findCompanyPair(db, company.id))
  expect(company.id).toBe(test.id)
  expect(await findPayoutTerms(db, test.id)).toMatchObject({ pix: { payoutDays: 0 } })
  expect(await findPayoutTerms(db, real.id)).toEqual({ pix: null, credit_card: null })
})

test.each([
  [{ ...PIX, pixRate: '30,01' }, 'pixRate'],
  [{ ...PIX, pixRate: '-1' }, 'pixRate'],
  [{ ...PIX, pixRate: '0,999' }, 'pixRate'],
  [{ ...PIX, pixRate: 'muito' }, 'pixRate'],
  [{ ...PIX, pixRate: '' }, 'pixRate'],
  [{ ...PIX, pixRate: '', pixFixed: '0,50' }, 'pixRate'],
  [{ ...PIX, pixFixed: '5,01' }, 'pixFixed'],
  [{ ...PIX, pixDays: '' }, 'pixDays'],
  [{ ...PIX, pixDays: '91' }, 'pixDays'],
  [{ ...PIX, pixDays: '1,5' }, 'pixDays'],
  [{ ...CARD, cardDays: '' }, 'cardDays'],
  [{ ...CARD, card1Rate: '', card1Fixed: '' }, 'card1Rate'],
  [{ card2Rate: '4,59', cardPayout: 'days', cardDays: '30' }, 'card1Rate'],
  [{ cardPayout: 'installments' }, 'card1Rate'],
  [{ ...CARD, card12Fixed: '0,39' }, 'card12Rate'],
  [{ ...CARD, card12Rate: '99' }, 'card12Rate'],
])('%j is refused at its field, and nothing is saved', async (typed, field) => {
  const { company, client } = await openClient()

  const response = await client.post(FEES, typed)

  expect(response.statusCode).toBe(422)
  expect(readFormErrors(response.body).map(([name]) => name)).toEqual([field])
  expect(await findPayoutTerms(db, company.id)).toEqual({ pix: null, credit_card: null })
})

test.each([
  [{ ...PIX, pixRate: '30', pixFixed: 'R$ 5,00', pixDays: 'D+90' }, 3_000, 500, 90],
  [{ ...PIX, pixRate: '0', pixFixed: '0' }, 0, 0, 0],
])(
  '%j is the most, or the least, that is believed',
  async (typed, rateBps, fixedCents, payoutDays) => {
    const { company, client } = await openClient()

    await client.post(FEES, typed)

    expect((await findPayoutTerms(db, company.id)).pix).toEqual({
      ...{ payoutDays, byInstallment: false },
      fees: [{ installments: 1, rateBps, fixedCents }],
    })
  },
)

test('the log says field, before and after', async () => {
  const { company, client } = await openClient()
  await client.post(FEES, { ...PIX, ...CARD })

  const form = readFormFields(await readPage(client, FEES), FEES)
  await client.post(FEES, { ...form, pixRate: '1,19', card2Rate: '4', card2Fixed: '0' })

  const [entry] = await listAudit(db, company.id, { action: 'fees_changed', limit: 1 })
  expect(entry).toMatchObject({
    subjectId: company.id,
    details: {
      pix: 'Pix: 0,99%, D+0 → 1,19%, D+0',
      card2: 'tarifa do cartão em 2x: como a de cima → 4,00%',
    },
  })
})

test('of two people who change it the second is told what the first one changed', async () => {
  const { company, client: ana } = await openClient()
  await ana.post(FEES, { ...PIX, ...CARD })
  const bia = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const shown = readFormFields(await readPage(ana, FEES), FEES)
  const shownToBia = readFormFields(await readPage(bia, FEES), FEES)

  await ana.post(FEES, { ...shown, pixRate: '1,00' })
  const refused = await bia.post(FEES, { ...shownToBia, card2Rate: '5' })
  const again = await bia.post(FEES, readFormFields(refused.body, FEES))

  expect([refused.statusCode, again.statusCode]).toEqual([409, 303])
  expect(readPageText(refused.body)).toContain('mudou “Pix” para 1,00%')
})

test('changes of two people that do not go together are not saved', async () => {
  const { company, client: ana } = await openClient()
  await ana.post(FEES, CARD)
  const bia = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const shown = readFormFields(await readPage(ana, FEES), FEES)
  const shownToBia = readFormFields(await readPage(bia, FEES), FEES)

  await ana.post(FEES, { ...shown, card1Rate: '', card1Fixed: '', cardDays: '' })
  const late = await bia.post(FEES, { ...shownToBia, card2Rate: '5' })

  expect(late.statusCode).toBe(409)
  expect(await findPayoutTerms(db, company.id)).toEqual({ pix: null, credit_card: null })
})
