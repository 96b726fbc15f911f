// A charge that the bank calls paid, and whose money can't be read: held, told, and approved when it can be.
import { afterEach, expect, test } from 'vitest'
import { checkBook, ROW_CHECKS } from '../../src/commands/doctor/integrity.ts'
import { newId } from '../../src/database/id.ts'
import { findAccount, saveAccount, testAccount } from '../../src/providers/accounts.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import { reloadTransaction } from '../../src/transactions/transaction.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { openCheckout, PIX, readPageText } from '../support/payer.ts'
import { openFakeBank } from '../support/providers/bank/fake.ts'
import { openFakeOpenPix } from '../support/providers/openpix/fake.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

const testApp = await openTestApp({ mail: true })
const { app, clock, db, needs, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)
const bank = await openFakeBank({ now: clock.now })
const woovi = await openFakeOpenPix({ now: clock.now })
const { manner } = bank.book
const good = { ...manner }

afterEach(async () => {
  clock.offsetMs = 0
  Object.assign(manner, good)
  bank.heal()
  await db.$client.query('update transactions set check_at = null')
})

async function waiting(provider: 'pix-api' | 'openpix', config: object) {
  const company = await newCompany()
  const notice = "update companies set notice_email = 'ana@exemplo.com.br' where id = $1"
  await db.$client.query(notice, [company.id])
  const account = { companyId: company.id, provider, now: clock.now() }
  const saved = await saveAccount(needs, { ...account, config: { ...config } })
  await chooseProvider(db, { ...account, method: 'pix' })
  const link = await newLink({ methods: ['pix'] }, company)
  const { row, url } = await pay(link, PIX)
  return { company, link, row, page: url, notifyToken: saved.notifyToken }
}

/** Paid, and the bank writes its amount so that nobody can read it. */
async function paidUnreadably() {
  const { row, ...rest } = await waiting('pix-api', bank.config)
  const pix = bank.pay(row.pixTxid!, 10_000, { valor: 'cem reais' })
  return { ...rest, pix, row: await checkPayment(needs, row) }
}

function refundOnce({ key }: TestCompany, id: string) {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': newId() }
  return app.inject({ method: 'POST', url: `/api/transactions/${id}/refunds`, headers })
}

async function eventsOf(id: string) {
  const { rows } = await db.$client.query(
    `select type from events where body::jsonb #>> '{data,transaction,id}' = $1 order by id`,
    [id],
  )
  return rows.map(({ type }) => type)
}

async function mailsOf(id: string) {
  const { rows } = await db.$client.query('select template from mails where subject_id = $1', [id])
  return rows.map(({ template }) => template)
}

test('it is held once, with the reason unreadable, by an event and an e-mail', async () => {
  const { row } = await paidUnreadably()

  const again = await checkPayment(needs, row)

  expect(again).toMatchObject({ status: 'pending', holdReason: 'unreadable', receivedCents: null })
  expect(await eventsOf(row.id)).toEqual(['transaction.held'])
  expect(await mailsOf(row.id)).toEqual(['payment-held'])
})

test('it is approved by itself as soon as it can be read', async () => {
  const { row, pix } = await paidUnreadably()
  pix.valor = '100.00'
  clock.offsetMs = MINUTE_MS + SECOND_MS

  await reconcileDuePayments(needs)

  const approved = await reloadTransaction(db, row.id)
  expect(approved).toMatchObject({ status: 'approved', holdReason: null })
  expect(await eventsOf(row.id)).toEqual(['transaction.held', 'transaction.approved'])
})

test('with another amount it is held for that one as soon as it can be read', async () => {
  const { row, pix } = await paidUnreadably()
  pix.valor = '70,00'

  const held = await checkPayment(needs, row)

  expect(held).toMatchObject({ receivedCents: 7_000, holdReason: expect.stringContaining('70,00') })
})

test('it does not expire, and is held after its code ran out too', async () => {
  const { row } = await waiting('pix-api', bank.config)
  clock.offsetMs = Date.parse(row.expiresAt!) - Date.now() + SECOND_MS
  const expired = await checkPayment(needs, row)
  bank.pay(row.pixTxid!, 10_000, { valor: '1.234' })

  const held = await checkPayment(needs, expired)
  const later = await checkPayment(needs, held)

  expect(expired).toMatchObject({ status: 'expired' })
  expect(later).toMatchObject({ status: 'expired', holdReason: 'unreadable' })
})

test.each([
  [
    'a bank that shows no payment',
    () => waiting('pix-api', bank.config),
    (txid: string) => {
      bank.pay(txid, 10_000, { txid: 'outro' })
      bank.book.cobs.get(txid)!.status = 'CONCLUIDA'
    },
  ],
  [
    'Woovi when it shows no payment',
    () => waiting('openpix', woovi.config),
    (_txid: string, id: string) => {
      woovi.book.charges.get(id)!.status = 'COMPLETED'
    },
  ],
])('%s is given some seconds before the payment is held', async (_who, open, conclude) => {
  const { row } = await open()
  conclude(row.pixTxid!, row.id)

  const first = await checkPayment(needs, row)
  const shown = await reloadTransaction(db, row.id)
  clock.offsetMs = 20 * SECOND_MS
  const held = await checkPayment(needs, shown)

  expect(first).toMatchObject({ status: 'pending', holdReason: null })
  expect(Date.parse(shown.checkAt!) - clock.now().getTime()).toBeLessThan(0)
  expect(held).toMatchObject({ holdReason: 'unreadable' })
})

test('its people see it: the field at Recebimentos and in the history, the payment to be looked at', async () => {
  const { company, row, page } = await paidUnreadably()
  const client = await openDashboardClient(testApp, { companyId: company.id })
  const show = async (path: string) => readPageText((await client.get(path)).body)

  const [receivables, account, shown, home] = [
    await show('/painel/recebimentos'),
    await show('/painel/recebimentos/pix-api'),
    await show(`/painel/transacoes/${row.id}`),
    await show('/painel'),
  ]

  expect(receivables).toContain('no campo pix.valor')
  expect(account).toContain('no campo pix.valor')
  expect(shown).toContain('Confira no extrato da conta')
  expect(shown).toContain('o campo valor da resposta não pôde ser lido')
  expect(home).toContain('1 pagamento a verificar')
  expect(readPageText((await app.inject(page)).body)).not.toContain('unreadable')
})

test('its company says what the statement shows, and it is approved with that', async () => {
  const { company, row } = await paidUnreadably()
  const accept = (body: object) => company.post(`/api/transactions/${row.id}/accept`, body)

  const refused = [await accept({}), await accept({ amountCents: 10_001 })]
  const accepted = await accept({ amountCents: 7_000 })

  expect(refused.map(({ statusCode }) => statusCode)).toEqual([422, 422])
  expect(refused[0]!.json()).toMatchObject({ errors: [{ field: 'amountCents' }] })
  expect(accepted.json()).toMatchObject({
    ...{ status: 'approved', totalCents: 7_000, holdReason: null, pix: { endToEndId: null } },
  })
  expect(await eventsOf(row.id)).toEqual(['transaction.held', 'transaction.approved'])
})

test.each<[string, number, object]>([
  ['as much', 10_000, { refundedCents: 0, surplus: [0] }],
  ['more', 12_000, { refundedCents: 0, surplus: [2_000] }],
  // The company's word stands: what never came in did not go back.
  ['less', 9_000, { refundedCents: 0, surplus: [0] }],
])('what can be read later as %s pays what was accepted, once', async (_what, cents, expected) => {
  const { company, row, pix } = await paidUnreadably()
  await company.post(`/api/transactions/${row.id}/accept`, { amountCents: 10_000 })
  pix.valor = (cents / 100).toFixed(2)

  await checkPayment(needs, await reloadTransaction(db, row.id))
  await checkPayment(needs, await reloadTransaction(db, row.id))

  const answer = await company.get(`/api/transactions/${row.id}`)
  const { refundedCents, incomingPayments, ...shown } = answer.json()
  const surplus = incomingPayments.map((one: { surplusCents: number }) => one.surplusCents)
  expect({ refundedCents, surplus }).toEqual(expected)
  expect(shown).toMatchObject({ status: 'approved', pix: { endToEndId: pix.endToEndId } })
  expect(await checkBook(db)).toMatchObject({ status: 'ok' })
})

test('accepted unread it is refunded at the bank alone, and here once it can be read', async () => {
  const { company, row, pix } = await paidUnreadably()
  await company.post(`/api/transactions/${row.id}/accept`, { amountCents: 10_000 })
  const refund = () => refundOnce(company, row.id)

  const unread = await refund()
  pix.valor = '90.00'
  await checkPayment(needs, await reloadTransaction(db, row.id))
  const read = await refund()

  expect([unread.statusCode, unread.json().code]).toEqual([409, 'invalid_transition'])
  expect(read.json()).toMatchObject({ amountCents: 9_000, status: 'succeeded' })
  expect(await reloadTransaction(db, row.id)).toMatchObject({ refundedCents: 9_000 })
})

test('where nothing came in, or all went back, it ends, and begins anew if money is read after all', async () => {
  const { company, row, pix } = await paidUnreadably()

  const ended = await company.post(`/api/transactions/${row.id}/accept`, { amountCents: 0 })
  const still = await checkPayment(needs, await reloadTransaction(db, row.id))
  pix.valor = '100.00'
  const read = await checkPayment(needs, still)

  expect(ended.json()).toMatchObject({ status: 'canceled' })
  expect(still).toMatchObject({ status: 'canceled' })
  expect(read).toMatchObject({ status: 'approved' })
  expect(await eventsOf(row.id)).toEqual([
    ...['transaction.held', 'transaction.canceled', 'transaction.approved'],
  ])
})

test('in the dashboard the amount is typed as the statement shows it', async () => {
  const { company, row } = await paidUnreadably()
  const client = await openDashboardClient(testApp, { companyId: company.id })
  const path = `/painel/transacoes/${row.id}`

  const shown = (await client.get(path)).body
  const refused = readPageText((await client.post(`${path}/conferir`, { amount: '100,01' })).body)
  const done = await client.post(`${path}/conferir`, { amount: 'R$ 70,00' })

  expect(shown).toContain(`${path}/conferir`)
  expect(refused).toContain('R$ 100,00')
  expect(done.headers.location).toBe(`${path}?feito=conferido`)
  expect(await reloadTransaction(db, row.id)).toMatchObject({ totalCents: 7_000 })
  expect(readPageText((await client.get(path)).body)).toContain('Aceito com R$ 70,00')
  expect((await client.get(`${path}/conferir`)).headers.location).toBe(path)
})

test('doctor warns of the payment and of the account', async () => {
  await paidUnreadably()

  const findings = await Promise.all(ROW_CHECKS.map(({ run }) => run(db)))
  const warned = findings.filter(({ status }) => status === 'warn').map(({ what }) => what)

  expect(warned.filter((what) => what.includes('called paid'))).toHaveLength(1)
  expect(warned.filter((what) => what.includes('unreadable answer'))).toHaveLength(1)
})

test('the field is forgotten when the connection is tested', async () => {
  const { company } = await paidUnreadably()
  const account = { companyId: company.id, provider: 'pix-api' } as const
  const before = await findAccount(db, company.id, 'pix-api')

  await testAccount(needs, { ...account, now: clock.now() })

  expect(before).toMatchObject({ unreadableField: 'pix.valor' })
  expect(await findAccount(db, company.id, 'pix-api')).toMatchObject({ unreadableField: null })
})

test('a notification that names the charge in capitals leads to it', async () => {
  const { row, notifyToken } = await waiting('pix-api', bank.config)
  bank.pay(row.pixTxid!, 10_000)
  const payload = `\uFEFF${JSON.stringify([{ TXID: row.pixTxid!.toUpperCase() }])}`

  const url = `/webhooks/pix-api/${notifyToken}/pix`
  const headers = { 'content-type': 'application/json' }
  const answer = await app.inject({ method: 'POST', url, headers, payload })

  expect(answer.statusCode).toBe(200)
  expect(await reloadTransaction(db, row.id)).toMatchObject({ status: 'approved' })
})
