// A bank that loses answers, fails and goes away while a payer waits for the code of a Pix.
import { afterEach, expect, test } from 'vitest'
import { saveAccount } from '../../src/providers/accounts.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import { openCheckout, PIX, readPageText } from '../support/payer.ts'
import { openFakeBank } from '../support/providers/bank/fake.ts'
import { openTestApp } from '../support/test-app.ts'

const MINUTE_MS = 60_000
const testApp = await openTestApp()
const { cipher, clock, db, needs, newCompany } = testApp
const { newLink, pay, read, listEventTypes } = openCheckout(testApp)
const bank = await openFakeBank({ now: clock.now })

afterEach(() => {
  clock.offsetMs = 0
  bank.heal()
})

async function newPayer() {
  const company = await newCompany()
  const { log } = needs
  const account = { companyId: company.id, provider: 'pix-api', now: clock.now() } as const
  await saveAccount({ db, cipher, log, allowPrivate: true }, { ...account, config: bank.config })
  await chooseProvider(db, { ...account, method: 'pix' })
  const link = await newLink({}, company)
  return { company, link, pay: () => pay(link, PIX) }
}

async function reconcileAfter(ms: number) {
  clock.offsetMs = ms
  return reconcileDuePayments(needs)
}

test.each([
  ['breaks off', { does: 'reset', works: true } as const],
  ['breaks off before it charges', { does: 'reset' } as const],
  ['answers 500', { does: 'answer', status: 500, works: true } as const],
  ['answers 502 before it charges', { does: 'answer', status: 502 } as const],
  ['answers 503', { does: 'answer', status: 503 } as const],
  ['never answers', { does: 'hang', works: true } as const],
  ['never answers and never charges', { does: 'hang' } as const],
])('of a bank that %s once the payer has the code within five seconds', async (_how, fault) => {
  const payer = await newPayer()
  bank.next({ on: /^PUT .cob/, ...fault })
  const startedAt = Date.now()

  const { row, browser, url } = await payer.pay()

  expect(Date.now() - startedAt).toBeLessThan(5_000)
  const current = await read(row.id)
  expect(current).toMatchObject({ status: 'pending', pixTxid: row.pixTxid })
  expect((await browser.get(url)).body).toContain(current.pixBrCode)
  expect(bank.calls(new RegExp(row.pixTxid!)).map(({ method }) => method)).toEqual(
    fault.does === 'answer' && fault.status === 503
      ? ['PUT', 'PUT']
      : ['PUT', 'GET', ...('works' in fault ? [] : ['PUT'])],
  )
})

test('a bank that goes on failing is asked ever more rarely, from a second on', async () => {
  const payer = await newPayer()
  bank.next({ on: /cob/, does: 'answer', status: 500, times: 100 })
  const { row, browser, url } = await payer.pay()
  expect(readPageText((await browser.get(url)).body)).toContain('Estamos gerando o código Pix')

  const pauses: number[] = []
  for (let asked = 0; asked < 6; asked++) {
    const { checkAt } = await read(row.id)
    pauses.push(Math.ceil((Date.parse(checkAt!) - clock.now().getTime()) / 1_000))
    await reconcileAfter(Date.parse(checkAt!) - Date.now() + 1)
  }

  expect(pauses).toEqual([1, 1, 2, 4, 8, 15])
  bank.heal()
  await reconcileAfter(clock.offsetMs + 31_000)
  expect(await read(row.id)).toMatchObject({ pixBrCode: expect.stringMatching(/^0002/) })
})

test('a bank that wants to be left alone is, and the page gets its code after that', async () => {
  const payer = await newPayer()
  const headers = { 'retry-after': '120' }
  bank.next({ on: /^PUT .cob/, does: 'answer', status: 429, headers })
  const { row, browser, url } = await payer.pay()
  expect(readPageText((await browser.get(url)).body)).toContain('Estamos gerando o código Pix')

  await reconcileAfter(100_000)
  const { row: other } = await payer.pay()
  const calls = [row, other].map(({ pixTxid }) => bank.calls(new RegExp(pixTxid!)).length)
  expect(calls).toEqual([1, 0])
  await reconcileAfter(122_000)

  expect(await read(row.id)).toMatchObject({ pixBrCode: expect.stringMatching(/^0002/) })
})

test('a bank that is busy for a second is waited for', async () => {
  const payer = await newPayer()
  bank.next({ on: /^PUT .cob/, does: 'answer', status: 503, headers: { 'retry-after': '1' } })

  const { row } = await payer.pay()

  expect(row.pixBrCode).toMatch(/^0002/)
})

test('a Pix runs out in time although its bank cannot be asked, and is booked when it was paid', async () => {
  const payer = await newPayer()
  const { row, browser, url } = await payer.pay()
  bank.pay(row.pixTxid!, row.totalCents)
  bank.next({ on: /GET/, does: 'answer', status: 500, times: 1_000 })

  await reconcileAfter(29 * MINUTE_MS)
  expect(await read(row.id)).toMatchObject({ status: 'pending' })
  await reconcileAfter(30 * MINUTE_MS + 1_000)

  expect(await read(row.id)).toMatchObject({ status: 'expired' })
  const shown = await payer.company.get(`/api/transactions/${row.id}`)
  expect(shown.json()).toMatchObject({ status: 'expired' })
  expect(readPageText((await browser.get(url)).body)).toContain('O código Pix venceu')
  bank.heal()
  await reconcileAfter(31 * MINUTE_MS + 2_000)
  expect(await read(row.id)).toMatchObject({ status: 'approved' })
  expect(await listEventTypes(payer.link)).toEqual(['transaction.expired', 'transaction.approved'])
})

test('all that waits at a bank that is away runs out together', async () => {
  const payer = await newPayer()
  const rows = (await Promise.all(Array.from({ length: 15 }, payer.pay))).map(({ row }) => row)
  bank.next({ on: /GET/, does: 'answer', status: 500, times: 1_000 })

  await reconcileAfter(31 * MINUTE_MS)

  const statuses = await Promise.all(rows.map(async ({ id }) => (await read(id)).status))
  expect(new Set(statuses)).toEqual(new Set(['expired']))
})

test('a Pix without a code is shown as over after its time', async () => {
  const payer = await newPayer()
  bank.next({ on: /cob/, does: 'answer', status: 500, times: 1_000 })
  const { browser, url } = await payer.pay()

  clock.offsetMs = 31 * MINUTE_MS

  expect(readPageText((await browser.get(url)).body)).toContain('O código Pix venceu')
})
