// A charge that the bank calls paid, with an amount that can't be read: held, told, and approved when it can be.
import { afterEach, expect, test } from 'vitest'
import { checkBook, ROW_CHECKS } from '../../src/commands/doctor/integrity.ts'
import { findAccount, saveAccount, testAccount } from '../../src/providers/accounts.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { reloadTransaction } from '../../src/transactions/transaction.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { openCheckout, PIX, readPageText } from '../support/payer.ts'
import { openFakeBank } from '../support/providers/bank/fake.ts'
import { openFakeOpenPix } from '../support/providers/openpix/fake.ts'
import { openTestApp } from '../support/test-app.ts'

const SECOND_MS = 1_000

const testApp = await openTestApp({ mail: true, local: true })
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

async function openPendingPix(provider: 'pix-api' | 'openpix', config: object) {
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

/** Paid, and the bank writes its amount so that it cannot be read. */
async function paidUnreadably() {
  const { row, ...rest } = await openPendingPix('pix-api', bank.config)
  const pix = bank.pay(row.pixTxid!, 10_000, { valor: 'cem reais' })
  return { ...rest, pix, row: await checkPayment(needs, row) }
}

test.each([
  [
    'a bank that shows no payment',
    () => openPendingPix('pix-api', bank.config),
    (txid: string) => {
      bank.pay(txid, 10_000, { txid: 'outro' })
      bank.book.cobs.get(txid)!.status = 'CONCLUIDA'
    },
  ],
  [
    'Woovi when it shows no payment',
    () => openPendingPix('openpix', woovi.config),
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

test('its people are told by event and e-mail, see field and payment to look at, and doctor warns', async () => {
  const { company, row, page } = await paidUnreadably()
  const { rows: told } = await db.$client.query(
    `select type as told from events where company_id = $1
      union all select template from mails where subject_id = $2`,
    [company.id, row.id],
  )
  const client = await openDashboardClient(testApp, { companyId: company.id })
  const show = async (path: string) => readPageText((await client.get(path)).body)

  const [receivables, account, shown, home] = [
    await show('/painel/recebimentos'),
    await show('/painel/recebimentos/pix-api'),
    await show(`/painel/transacoes/${row.id}`),
    await show('/painel'),
  ]

  const findings = await Promise.all(ROW_CHECKS.map(({ run }) => run(db)))
  const warned = findings.filter(({ status }) => status === 'warn').map(({ what }) => what)

  expect(told).toEqual([{ told: 'transaction.held' }, { told: 'payment-held' }])
  expect(warned.filter((what) => what.includes('called paid'))).toHaveLength(1)
  expect(warned.filter((what) => what.includes('unreadable answer'))).toHaveLength(1)
  expect(receivables).toContain('no campo pix.valor')
  expect(account).toContain('no campo pix.valor')
  expect(shown).toContain('Confira no extrato da conta')
  expect(shown).toContain('o campo valor da resposta não pôde ser lido')
  expect(home).toContain('1 pagamento a verificar')
  expect(readPageText((await app.inject(page)).body)).not.toContain('unreadable')
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

test('what its company says is accepted by the API, and the book stays right when less is read later', async () => {
  const { company, row, pix } = await paidUnreadably()
  const accept = (body: object) => company.post(`/api/transactions/${row.id}/accept`, body)

  const refused = await accept({})
  const accepted = await accept({ amountCents: 10_000 })
  pix.valor = '90.00'
  await checkPayment(needs, await reloadTransaction(db, row.id))

  expect([refused.statusCode, refused.json().errors]).toMatchObject([
    422,
    [{ field: 'amountCents' }],
  ])
  expect(accepted.json()).toMatchObject({ status: 'approved', totalCents: 10_000 })
  const shown = (await company.get(`/api/transactions/${row.id}`)).json()
  expect(shown).toMatchObject({
    ...{ status: 'approved', refundedCents: 0, pix: { endToEndId: pix.endToEndId } },
    incomingPayments: [{ amountCents: 9_000, surplusCents: 0 }],
  })
  expect(await checkBook(db)).toMatchObject({ status: 'ok' })
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
  const { row, notifyToken } = await openPendingPix('pix-api', bank.config)
  bank.pay(row.pixTxid!, 10_000)
  const payload = `\uFEFF${JSON.stringify([{ TXID: row.pixTxid!.toUpperCase() }])}`

  const url = `/webhooks/pix-api/${notifyToken}/pix`
  const headers = { 'content-type': 'application/json' }
  const answer = await app.inject({ method: 'POST', url, headers, payload })

  expect(answer.statusCode).toBe(200)
  expect(await reloadTransaction(db, row.id)).toMatchObject({ status: 'approved' })
})
