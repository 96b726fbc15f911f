// What a company tells of its providers' fees, from the form to the payments that are approved after it.
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { findFeeTerms, replaceFeeTerms } from '../../../src/companies/fee-terms.ts'
import { buildFormVersion } from '../../../src/dashboard/layout/versioned.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { buildTestCard, openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)

const FEES = '/painel/recebimentos/tarifas'
const PIX = { pixRate: '0,99', pixFixed: '' }
const CARD = { card1Rate: '3,19', card1Fixed: '0,39' }
const NOTHING = { pix: [], credit_card: [] }

async function openClient() {
  const company = await newCompany()
  const client = await openDashboardClient(testApp, { companyId: company.id, role: 'finance' })
  return { company, client }
}

test('what is told stands in the form again, and holds for the next payment', async () => {
  const { company, client } = await openClient()
  const link = await newLink({ maxInstallments: 12 }, company)
  const { row: before } = await pay(link, buildTestCard('ok'))
  const told = { ...PIX, ...CARD, card2Rate: '4,59', card7Rate: '5,1' }

  const saved = await client.post(FEES, told)
  const html = await readPage(client, saved.headers.location!)
  const { row: one } = await pay(link, buildTestCard('ok'))
  const { row: six } = await pay(link, buildTestCard('ok', { installments: 6 }))

  expect(saved.statusCode).toBe(303)
  expect(readPageText(html)).toContain('Tarifas salvas.')
  const shown = [
    ['pixRate', '0,99'],
    ['pixFixed', '0,00'],
    ['card1Rate', '3,19'],
    ['card1Fixed', '0,39'],
    ['card2Rate', '4,59'],
    ['card2Fixed', '0,00'],
    ['card7Rate', '5,10'],
  ]
  const fields = readFormFields(html, FEES)
  for (const [name, value] of shown) expect(fields[name!]).toEqual([value])
  expect(before).toMatchObject({ feeCents: null })
  expect(one).toMatchObject({ feeCents: 319 + 39 })
  expect(six).toMatchObject({ feeCents: 459 })
})

test('fees that differ within a band are told, stay while its row is blank, and end with a fee for the whole band', async () => {
  const { company, client } = await openClient()
  const link = await newLink({ maxInstallments: 12 }, company)
  const twelve = Array.from({ length: 12 }, (_, at) => ({
    installments: at + 1,
    rateBps: 300 + 10 * at,
    fixedCents: at === 2 ? 39 : 0,
  }))
  const before = { pix: [], credit_card: twelve }
  await replaceFeeTerms(db, company.id, { before: NOTHING, after: before })
  const html = await readPage(client, FEES)
  const fields = readFormFields(html, FEES)

  const kept = await client.post(FEES, { ...fields, ...PIX })
  const afterPix = await findFeeTerms(db, company.id)
  const { row: paid } = await pay(link, buildTestCard('ok', { installments: 3 }))
  const refused = await client.post(FEES, { ...fields, card7Rate: '-1' })
  const shown = readFormFields(await readPage(client, FEES), FEES)
  await client.post(FEES, { ...shown, card7Rate: '5', card7Fixed: '' })
  const [entry] = await listAudit(db, company.id, { action: 'fees_changed', limit: 1 })

  const several = '2x 3,10%, 3x 3,20% + R$ 0,39, 4x 3,30%, 5x 3,40%, 6x 3,50%'
  expect(readPageText(html)).toContain(`Em 2x a 6x há mais de uma tarifa salva`)
  expect(readPageText(html)).toContain(several)
  expect([fields.card1Rate, fields.card2Rate, fields.card7Rate]).toEqual([['3,00'], [''], ['']])
  expect(kept.statusCode).toBe(303)
  expect(afterPix.credit_card).toEqual(twelve)
  expect(paid).toMatchObject({ feeCents: 320 + 39 })
  expect(readPageText(refused.body)).toContain(several)
  const seven = { installments: 7, rateBps: 500, fixedCents: 0 }
  const { credit_card: card } = await findFeeTerms(db, company.id)
  expect(card).toEqual([...twelve.slice(0, 6), seven])
  expect(entry?.details.card7).toMatch(/em 7x a 12x: 7x 3,60%, .* 12x 4,10% → 5,00%$/)
  expect(entry?.details.card2).toBeUndefined()
})

test('a form with twelve rows, opened before an update, saves nothing and is shown anew', async () => {
  const { company, client } = await openClient()
  await client.post(FEES, { ...PIX, ...CARD, card2Rate: '4' })
  const before = await findFeeTerms(db, company.id)
  const values = { pix: { rateBps: 99, fixedCents: 0 }, card1: null, card2: null, card3: null }
  const _version = buildFormVersion({ body: {} } as FastifyRequest, values).value

  const refused = await client.post(FEES, { ...PIX, ...CARD, card3Rate: '6', _version })

  expect(refused.statusCode).toBe(409)
  expect(await findFeeTerms(db, company.id)).toEqual(before)
})

const REFUSED: [fields: string[], typed: Record<string, string>][] = [
  ...['30,01', '-1', '0,999', 'muito'].map((pixRate): [string[], Record<string, string>] => [
    ['pixRate'],
    { ...PIX, pixRate },
  ]),
  [['pixRate'], { ...PIX, pixRate: '', pixFixed: '0,50' }],
  [['pixFixed'], { ...PIX, pixFixed: '5,01' }],
  [['card1Rate'], { card2Rate: '4,59' }],
  [['card1Rate'], { card7Rate: '4,59' }],
  [['card7Rate'], { ...CARD, card7Fixed: '0,39' }],
  [['pixRate', 'pixFixed'], { pixRate: '99,99', pixFixed: '999' }],
]

test('what is no fee is refused at its field, and the most and the least that is believed is not', async () => {
  const { company, client } = await openClient()

  for (const [fields, typed] of REFUSED) {
    const response = await client.post(FEES, typed)
    expect(response.statusCode).toBe(422)
    expect(readFormErrors(response.body).map(([name]) => name)).toEqual(fields)
  }
  expect(await findFeeTerms(db, company.id)).toEqual(NOTHING)
  for (const [pixRate, pixFixed, rateBps, fixedCents] of [
    ['30', 'R$ 5,00', 3_000, 500],
    // Pasted, and typed on a keyboard of another width.
    ['\u200b3,19 %', '\u200b0,39', 319, 39],
    ['３，１９', '０，３９', 319, 39],
    ['0', '0', 0, 0],
  ] as const) {
    await client.post(FEES, { pixRate, pixFixed })
    const pix = [{ installments: 1, rateBps, fixedCents }]
    expect(await findFeeTerms(db, company.id)).toMatchObject({ pix })
  }
})

test('the log says field, before and after, and of two people who change it the second is told what the first changed', async () => {
  const { company, client: ana } = await openClient()
  await ana.post(FEES, { ...PIX, ...CARD })
  const bia = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const form = readFormFields(await readPage(ana, FEES), FEES)

  await ana.post(FEES, { ...form, pixRate: '1,19', card2Rate: '4', card2Fixed: '0' })
  const refused = await bia.post(FEES, { ...form, card1Rate: '5' })
  const again = await bia.post(FEES, readFormFields(refused.body, FEES))

  expect([refused.statusCode, again.statusCode]).toEqual([409, 303])
  expect(readPageText(refused.body)).toContain('mudou “Pix” de 0,99% para 1,19%')
  const [, entry] = await listAudit(db, company.id, { action: 'fees_changed', limit: 2 })
  expect(entry).toMatchObject({
    subjectId: company.id,
    details: {
      pix: 'Pix: 0,99% → 1,19%',
      card2: 'tarifa do cartão em 2x a 6x: como a de cima → 4,00%',
    },
  })
})
