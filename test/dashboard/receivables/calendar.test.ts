// The calendar of what is to come in.
import { expect, test } from 'vitest'
import { toCalendarView } from '../../../src/dashboard/receivables/calendar-view.ts'
import { addDays, toDay } from '../../../src/reports/days.ts'
import { foldRevenue } from '../../../src/reports/fold.ts'
import { listPayoutDays, type PayoutDay } from '../../../src/reports/payouts.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { readPageText } from '../../support/payer.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

const CALENDAR = '/painel/recebimentos/calendario'
const TODAY = toDay(clock.now())
const now = () => clock.now().toISOString()

function due(expectedOn: string, more: object = {}) {
  return { feeCents: 100, feeSource: 'company' as const, expectedOn, payoutParts: 1, ...more }
}

test('a payment in twelve parts is twelve entries, and their sum is its net', async () => {
  const merchant = await newMerchant()
  await addPayment(merchant, now(), due(addDays(TODAY, 30), { payoutParts: 12 }))

  const days = await listPayoutDays(db, merchant.companyId, TODAY)

  expect(days).toHaveLength(12)
  expect(days.map(({ day }) => day)).toEqual(
    Array.from({ length: 12 }, (_, at) => addDays(TODAY, 30 * (at + 1))),
  )
  expect(days.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(9_900)
})

test('it goes from thirty days ago to thirteen months ahead, folded or not', async () => {
  const merchant = await newMerchant()
  for (const days of [-31, -30, 0, 396, 397]) {
    await addPayment(merchant, now(), due(addDays(TODAY, days)))
  }
  const read = async () =>
    (await listPayoutDays(db, merchant.companyId, TODAY)).map(({ day }) => day)

  const before = await read()
  while ((await foldRevenue(db, 1_000)) === 1_000);

  expect(before).toEqual([-30, 0, 396].map((days) => addDays(TODAY, days)))
  expect(await read()).toEqual(before)
})

test('another company, a payment without fee or day, and one that was given back are not in it', async () => {
  const stranger = await newMerchant()
  await addPayment(stranger, now(), due(TODAY))
  const { companyId, ...rest } = await newMerchant()
  await addPayment({ companyId, ...rest }, now())
  await addPayment({ companyId, ...rest }, now(), due(TODAY, { feeCents: null, feeSource: null }))
  await addPayment(
    { companyId, ...rest },
    now(),
    due(TODAY, { feeCents: 0, refundedCents: 10_000 }),
  )

  expect(await listPayoutDays(db, companyId, TODAY)).toEqual([])
})

test('the page says what comes today and after it, and apart what should be here', async () => {
  const merchant = await newMerchant()
  await addPayment(merchant, now(), due(TODAY))
  await addPayment(merchant, now(), due(addDays(TODAY, 6), { method: 'credit_card' }))
  await addPayment(merchant, now(), due(addDays(TODAY, 200)))
  await addPayment(merchant, now(), due(addDays(TODAY, -1)))
  const client = await openDashboardClient(testApp, {
    ...{ companyId: merchant.companyId, role: 'accountant' },
  })

  const text = readPageText(await readPage(client, CALENDAR))

  expect(text).toContain('Hoje R$ 99,00 Em 7 dias R$ 198,00 Em 30 dias R$ 198,00')
  expect(text).toContain('Tudo a receber R$ 297,00')
  expect(text).toContain('Depois disso 1 R$ 99,00 R$ 0,00 R$ 99,00')
  expect(text).toContain('Já devia ter entrado nos últimos 30 dias R$ 99,00')
})

test('the table to take away has a row for each day and method', async () => {
  const merchant = await newMerchant()
  await addPayment(merchant, now(), due(TODAY))
  await addPayment(merchant, now(), due(TODAY, { method: 'credit_card', payoutParts: 2 }))
  const client = await openDashboardClient(testApp, {
    ...{ companyId: merchant.companyId, role: 'finance' },
  })

  const { body } = await client.get(`${CALENDAR}.csv`)

  const write = (day: string) => day.split('-').reverse().join('/')
  expect(body.replace('\uFEFF', '').trim().split('\r\n')).toEqual([
    'Dia;Forma de pagamento;Partes;Líquido (R$)',
    `${write(TODAY)};Pix;1;99,00`,
    `${write(TODAY)};Cartão de crédito;1;49,50`,
    `${write(addDays(TODAY, 30))};Cartão de crédito;1;49,50`,
  ])
})

test('a company that told nothing is led to where it can', async () => {
  const { companyId } = await newMerchant()
  const owner = await openDashboardClient(testApp, { companyId, role: 'owner' })
  const accountant = await openDashboardClient(testApp, { companyId, role: 'accountant' })

  expect(readPageText(await readPage(owner, CALENDAR))).toContain('Informar tarifas e prazos')
  expect(readPageText(await readPage(accountant, CALENDAR))).toContain('Nada previsto')
  expect(readPageText(await readPage(accountant, CALENDAR))).not.toContain('Informar tarifas')
})

test('weeks begin on Monday, months on their first, each is whole, and what comes later is one row', () => {
  const day = (at: string, netCents: number): PayoutDay => ({
    ...{ day: at, method: 'pix', parts: 1, netCents },
  })
  const days = [
    day('2026-11-22', 1),
    day('2026-11-23', 10),
    day('2027-05-22', 100),
    day('2027-05-23', 1_000),
    day('2027-05-24', 10_000),
  ]
  const list = (by: 'semana' | 'mes' | 'dia') =>
    toCalendarView(days, by, '2026-11-22').ahead.rows.map(({ label, net }) => [
      label,
      net.replace('\u00a0', ' '),
    ])

  expect(list('semana')).toEqual([
    ['Semana de 16/11/2026', 'R$ 0,01'],
    ['Semana de 23/11/2026', 'R$ 0,10'],
    ['Semana de 17/05/2027', 'R$ 11,00'],
    ['Depois disso', 'R$ 100,00'],
  ])
  expect(list('mes')).toEqual([
    ['novembro de 2026', 'R$ 0,11'],
    ['maio de 2027', 'R$ 111,00'],
  ])
  expect(list('dia')[0]).toEqual(['22/11/2026 (hoje)', 'R$ 0,01'])
  expect(list('dia').at(-1)).toEqual(['Depois disso', 'R$ 111,00'])
})
