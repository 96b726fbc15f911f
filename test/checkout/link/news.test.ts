// What became of a payment comes before pages and forms that do not know of it.
import { afterEach, expect, test } from 'vitest'
import { answerChallenge } from '../../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { simulatePayment } from '../../../src/transactions/simulation/simulate.ts'
import { findTransaction, type TransactionRow } from '../../../src/transactions/transaction.ts'
import {
  AGAIN,
  buildTestCard,
  findAgainHref,
  openCheckout,
  openPayerBrowser,
  PIX,
  readPageText,
  type TestLink,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, needs } = testApp
const { newLink, pay, paymentsOf } = openCheckout(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

async function approve({ id, method }: TransactionRow) {
  const row = (await findTransaction(db, id))!
  if (method === 'pix') await simulatePayment(needs, row)
  else await answerAtBank(row)
}

async function answerAtBank(row: TransactionRow) {
  await answerChallenge(db, row.providerReference!, true, new Date())
  await checkPayment(needs, row)
}

async function approvedOf(link: TestLink) {
  return (await paymentsOf(link)).filter(({ status }) => status === 'approved')
}

test('an approval that comes after another Pix was begun is shown before that one', async () => {
  const link = await newLink()
  const { browser, url, row } = await pay(link, PIX)
  const other = await browser.pay(link, PIX, AGAIN)
  await approve(row)

  const shown = await browser.get(other.headers.location!)
  const status = await browser.get(`${other.headers.location}/status`)
  const receipt = await browser.get(url)
  const after = await browser.get(other.headers.location!)

  expect([shown.statusCode, shown.headers.location]).toEqual([303, url])
  expect(status.json()).toMatchObject({ state: 'approved' })
  expect(readPageText(receipt.body)).toContain('Comprovante de pagamento')
  expect(after.headers.location).toBe(url)
  expect((await browser.get(`/pagar/${link.slug}`)).headers.location).toBe(url)
})

test('money for a code that ran out, and was renewed, leads from the new one to the receipt', async () => {
  const link = await newLink()
  const { browser, url, row } = await pay(link, PIX)
  clock.offsetMs = 31 * 60_000
  const renewed = await browser.post(`${url}/renew`, {})
  await approve(row)

  const shown = await browser.get(renewed.headers.location!)

  expect([shown.statusCode, shown.headers.location]).toEqual([303, url])
})

test('who begins one more payment after a receipt is not led away from it', async () => {
  const link = await newLink()
  const { browser, url } = await pay(link, buildTestCard('ok'))
  const form = findAgainHref((await browser.get(url)).body)

  const again = await browser.pay(link, PIX, form.slice(form.indexOf('?')))
  const shown = await browser.get(again.headers.location!)

  expect(readPageText(shown.body)).toContain('Pague com Pix')
  expect((await browser.get(`/pagar/${link.slug}`)).headers.location).toBe(again.headers.location)
})

test.each([
  ['approved on its own page meanwhile', PIX, 'approve'],
  ['by another card in another tab', buildTestCard('funds'), 'payAgain'],
] as const)(
  'a form that is older than a payment charges nothing: %s',
  async (_what, filled, then) => {
    const link = await newLink()
    const { browser, url, row } = await pay(link, filled)
    const sendOld = await browser.fill(link, buildTestCard('ok'), AGAIN)
    const paid =
      then === 'approve'
        ? url
        : (await browser.pay(link, buildTestCard('ok'), AGAIN)).headers.location
    if (then === 'approve') await approve(row)
    await browser.get(paid!)

    const sent = await sendOld()

    expect([sent.statusCode, sent.headers.location]).toEqual([303, paid])
    expect(await approvedOf(link)).toHaveLength(1)
  },
)

test.each([
  ['approved', buildTestCard('ok')],
  ['not paid yet', PIX],
])(
  'two tabs that a browser without our cookie opens make one payment: the first is %s',
  async (_what, filled) => {
    const link = await newLink()
    const browser = openPayerBrowser(app)
    const open = async () => {
      browser.cookies.clear()
      return browser.fill(link)
    }
    const [sendFirst, sendSecond] = [await open(), await open()]

    const paid = await sendFirst(filled)
    const led = await sendSecond(buildTestCard('ok'))

    expect(led.headers.location).toBe(paid.headers.location)
    expect(await paymentsOf(link)).toHaveLength(1)
  },
)

test('a code that was left yields to a card that is on its way, and its renewal too', async () => {
  const link = await newLink()
  const { browser, url } = await pay(link, PIX)
  const slow = await browser.pay(link, buildTestCard('slow'), AGAIN)

  const shown = await browser.get(url)
  clock.offsetMs = 31 * 60_000
  const renewed = await browser.post(`${url}/renew`, {})

  expect(shown.headers.location).toBe(slow.headers.location)
  expect(renewed.headers.location).toBe(slow.headers.location)
})

test('what another payer sends to be paid is shown as it is, whatever one paid here before', async () => {
  const link = await newLink()
  const friend = await pay(link, PIX)
  const { browser, url } = await pay(link, buildTestCard('ok'))
  await browser.get(url)

  const { statusCode, body } = await browser.get(friend.url)

  expect(statusCode).toBe(200)
  expect(readPageText(body)).toContain('Pague com Pix')
})

test('an open confirmation is offered at each look at the form, and its way leads there', async () => {
  const link = await newLink()
  const { browser, url } = await pay(link, buildTestCard('challenge'))
  const look = async () => findWayBack((await browser.get(`/pagar/${link.slug}${AGAIN}`)).body)
  const ways = [await look(), await look()]

  const shown = await browser.get(ways[1]!)
  const status = await browser.get(ways[1]!.replace('?', '/status?'))

  expect(ways).toEqual([expect.stringContaining(url), expect.stringContaining(url)])
  expect(readPageText(shown.body)).toContain('Confirme a compra no seu banco')
  expect(status.json()).toMatchObject({ state: 'challenge' })
})

function findWayBack(html: string) {
  return /href="([^"]*)">Continuar a confirmação/.exec(html)?.[1]
}
