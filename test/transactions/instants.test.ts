// When providers say that something was: what cannot be is not believed, and a bank's wrong zone is taken off.
import { afterEach, expect, test } from 'vitest'
import { and, eq } from '../../src/database/drizzle.ts'
import { movements, refunds } from '../../src/database/tables.ts'
import { saveAccount, testAccount } from '../../src/providers/accounts.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { listPaymentDisputes } from '../../src/transactions/disputes/list.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import { checkRefund } from '../../src/transactions/refunds/execute.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { requireKind } from '../support/kind.ts'
import { openCheckout, PIX, readPageText } from '../support/payer.ts'
import { openFakeBank } from '../support/providers/bank/fake.ts'
import { returnPix } from '../support/providers/bank/ledger.ts'
import {
  buildMercadoPagoCard,
  openMercadoPagoMerchant,
} from '../support/providers/mercadopago/merchant.ts'
import { openFakeOpenPix } from '../support/providers/openpix/fake.ts'
import { openTestApp } from '../support/test-app.ts'
import { openRefunds } from '../support/transactions/refunds.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const testApp = await openTestApp({ local: true })
const { clock, db, needs, newCompany } = testApp
const { newLink, pay, read } = openCheckout(testApp)
const { requestRefund } = openRefunds(testApp)
const bank = await openFakeBank({ now: clock.now })
const woovi = await openFakeOpenPix({ now: clock.now })
const { fake, newCollectingCompany } = await openMercadoPagoMerchant(testApp)
const { manner } = bank.book
const good = { ...manner }

afterEach(async () => {
  clock.offsetMs = 0
  Object.assign(manner, good)
  bank.heal()
  await db.$client.query('update transactions set check_at = null')
})

async function payAtAccount(provider: 'pix-api' | 'openpix', config: object) {
  const company = await newCompany()
  const account = { companyId: company.id, provider, now: clock.now() }
  await saveAccount(needs, { ...account, config: { ...config } })
  await chooseProvider(db, { ...account, method: 'pix' })
  const paid = await pay(await newLink({ methods: ['pix'] }, company), PIX)
  return { company, ...paid }
}

/** Payments that, as their provider says, were paid at this instant. */
const PAID_AT = {
  'pix-api': async (horario: string) => {
    const { company, row } = await payAtAccount('pix-api', bank.config)
    const pix = bank.pay(row.pixTxid!, 10_000, { horario })
    return { company, pix, row: await checkPayment(needs, row) }
  },
  openpix: async (time: string) => {
    const { company, row } = await payAtAccount('openpix', woovi.config)
    Object.assign(woovi.pay(row.id, 10_000), { time })
    return { company, row: await checkPayment(needs, row) }
  },
  mercadopago: async (last_updated_date: string) => {
    const { company } = await newCollectingCompany()
    const link = await newLink({ methods: ['credit_card'] }, company)
    const { row } = await pay(link, buildMercadoPagoCard('processing'))
    const [made] = fake.ordersOf(row.id)
    fake.accept(made!.id)
    Object.assign(made!, { last_updated_date })
    return { company, row: await checkPayment(needs, row) }
  },
}

async function showPayment(companyId: string, id: string) {
  const dashboardClient = await openDashboardClient(testApp, { companyId })
  return readPageText((await dashboardClient.get(`/painel/transacoes/${id}`)).body)
}

/** What "Testar conexão" says. */
async function testConnection(companyId: string) {
  const account = { companyId, provider: 'pix-api', now: clock.now() } as const
  return JSON.stringify(requireKind(await testAccount(needs, account), 'tested').steps)
}

const [BEFORE, AFTER] = ['1970-01-01T00:00:00.000Z', '2099-12-31T12:00:00.000Z']

test.each([
  ['pix-api', BEFORE, '31/12/1969'],
  ['openpix', AFTER, '31/12/2099'],
  ['mercadopago', AFTER, '31/12/2099'],
] as const)(
  'what %s says was paid at %s was paid between its creation and now',
  async (provider, said, shown) => {
    const { company, row } = await PAID_AT[provider](said)

    expect(row).toMatchObject({ status: 'approved', paidLate: false })
    if (said === BEFORE) expect(row.approvedAt).toBe(row.createdAt)
    else expect(Date.parse(row.updatedAt) - Date.parse(row.approvedAt!)).toBeLessThan(MINUTE_MS)
    if (row.checkAt) expect(Date.parse(row.checkAt) - Date.parse(row.approvedAt!)).toBe(DAY_MS)
    const page = await showPayment(company.id, row.id)
    expect(page).toMatch(new RegExp(`Pago em, segundo o provedor ${shown}`))
  },
)

test('a Pix that is said to be of another year is refundable for ninety days, and no longer', async () => {
  const { company, row } = await PAID_AT['pix-api']('2099-12-31T12:00:00.000Z')

  clock.offsetMs = 91 * DAY_MS

  expect((await requestRefund(company, row.id)).json()).toMatchObject({
    code: 'refund_window_closed',
  })
})

/** When the book says that money of the payment went back. */
async function readReturnedAt(id: string) {
  const ofRefunds = and(eq(movements.transactionId, id), eq(movements.kind, 'refund'))
  const booked = await db.select({ at: movements.movedAt }).from(movements).where(ofRefunds)
  return booked.map(({ at }) => at)
}

test.each([
  ['a day ago', (hour: string) => hour, (hour: string) => hour],
  ['before the payment', () => BEFORE, (_: string, createdAt: string) => createdAt],
])(
  'money that went back at the bank %s is booked when it went, and not when we hear of it',
  async (_when, sayAt, bookAt) => {
    const { pix, row } = await PAID_AT['pix-api'](clock.now().toISOString())
    const returnedAt = new Date(clock.now().getTime() + DAY_MS).toISOString()
    Object.assign(returnPix(bank.book, pix, 500), { horario: { liquidacao: sayAt(returnedAt) } })
    clock.offsetMs = 2 * DAY_MS

    await checkPayment(needs, row)

    expect(await readReturnedAt(row.id)).toEqual([bookAt(returnedAt, row.createdAt)])
  },
)

test('a refund of ours is booked when it was settled, though the bank is asked later', async () => {
  const { company, pix, row } = await PAID_AT['pix-api'](clock.now().toISOString())
  manner.refundStatus = 'EM_PROCESSAMENTO'
  await requestRefund(company, row.id)
  const liquidacao = new Date(clock.now().getTime() + HOUR_MS).toISOString()
  Object.assign(pix.devolucoes[0]!, { status: 'DEVOLVIDO', horario: { liquidacao } })
  clock.offsetMs = 2 * DAY_MS

  const [refund] = await db.select().from(refunds).where(eq(refunds.transactionId, row.id))
  await checkRefund(needs, refund!)

  expect(await readReturnedAt(row.id)).toEqual([liquidacao])
})

test('a dispute that is said to be of another time was opened and closed since the payment', async () => {
  const { company, pix, row } = await PAID_AT['pix-api'](clock.now().toISOString())
  const horario = {
    solicitacao: '1970-01-01T00:00:00.000Z',
    liquidacao: '2099-01-01T00:00:00.000Z',
  }
  Object.assign(returnPix(bank.book, pix, 500, 'MED_FRAUDE'), { horario })

  const { createdAt } = await checkPayment(needs, row)

  const [dispute] = await listPaymentDisputes(db, row.id)
  expect(dispute).toMatchObject({ status: 'lost', openedAt: createdAt })
  expect(dispute!.closedAt! <= clock.now().toISOString()).toBe(true)
  const page = await showPayment(company.id, row.id)
  expect(page).toContain('Contestado em, segundo o provedor 31/12/1969')
  expect(page).toContain('Contestação encerrada em, segundo o provedor 31/12/2098')
})

test.each([
  [-3, '3 horas atrasado'],
  [3, '3 horas adiantado'],
  [-1, '1 hora atrasado'],
])(
  'when the clock of a bank is %i hours off, that is taken from all it says, and told',
  async (hours, told) => {
    manner.clockOffsetMs = hours * HOUR_MS
    const { company, row, browser, url } = await payAtAccount('pix-api', bank.config)
    clock.offsetMs = 20 * MINUTE_MS
    const paidAt = clock.now().getTime()
    const pix = bank.pay(row.pixTxid!, 10_000)
    clock.offsetMs = 25 * MINUTE_MS
    returnPix(bank.book, pix, 500, 'MED_FRAUDE')

    const approved = await checkPayment(needs, row)

    expect(approved).toMatchObject({ status: 'approved', paidLate: false })
    expect(Math.abs(Date.parse(approved.approvedAt!) - paidAt)).toBeLessThan(5_000)
    const [dispute] = await listPaymentDisputes(db, row.id)
    expect(Date.parse(dispute!.openedAt) - paidAt).toBeGreaterThan(4 * MINUTE_MS)
    expect(readPageText((await browser.get(url)).body)).not.toContain('vencido')
    expect(await testConnection(company.id)).toContain(`O relógio do banco está ${told}`)
  },
)

test('a clock that is right again is told no more', async () => {
  manner.clockOffsetMs = -3 * HOUR_MS
  const { company, row } = await payAtAccount('pix-api', bank.config)
  manner.clockOffsetMs = 0
  await pay({
    id: row.paymentLinkId,
    slug: await readSlug(row.paymentLinkId),
    companyId: company.id,
  })

  expect(await testConnection(company.id)).not.toContain('relógio')
})

async function readSlug(linkId: string) {
  const { rows } = await db.$client.query('select slug from payment_links where id = $1', [linkId])
  return String(rows[0].slug)
}

test.each([-2.5 * HOUR_MS, 40 * MINUTE_MS])(
  'after a lost answer a code is good for as long as we asked, by a clock that is %i ms off',
  async (clockOffsetMs) => {
    Object.assign(manner, { clockOffsetMs })
    bank.next({ on: /^PUT .cob/, does: 'reset', works: true })

    const { row, browser, url } = await payAtAccount('pix-api', bank.config)
    await reconcileDuePayments(needs)

    const { createdAt, expiresAt, status } = await read(row.id)
    expect(status).toBe('pending')
    expect(Date.parse(expiresAt!) - Date.parse(createdAt)).toBe(30 * MINUTE_MS)
    expect(readPageText((await browser.get(url)).body)).not.toContain('vencido')
  },
)
