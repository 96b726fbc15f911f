// Links that take so many payments and no more, while many pay at the same time.

import { afterEach, expect, test } from 'vitest'
import { sandboxCharges } from '../../../src/database/tables.ts'
import { paySandboxPix } from '../../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import {
  buildTestCard,
  openCheckout,
  openPayerBrowser,
  readPageText,
  type TestLink,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, needs } = testApp
const { newLink, pay, read, paymentsOf, readLink, listEventTypes } = openCheckout(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

/** So many people fill in the form, and all send it at once. */
function payTogether(link: TestLink, count: number, filled: (i: number) => object) {
  return Promise.all(Array.from({ length: count }, (_, i) => pay(link, filled(i))))
}

/** Somebody pays this Pix in their bank's app, and we hear of it. */
async function payCode(transactionId: string) {
  await paySandboxPix(db, { transactionId, amountCents: 10_000 }, clock.now())
  return checkPayment(needs, await read(transactionId))
}

async function statusesOf(link: TestLink) {
  const payments = await paymentsOf(link)
  return payments.map(({ status }) => status).sort()
}

async function chargesOf(link: TestLink) {
  const ids = (await paymentsOf(link)).map(({ id }) => `sbx_${id}`)
  const charges = await db.select().from(sandboxCharges)
  return charges.filter(({ reference }) => ids.includes(reference))
}

test('of eight cards at once a link for one payment charges no more than that', async () => {
  const link = await newLink({ maxPayments: 1 })

  const answers = await payTogether(link, 8, () => buildTestCard('ok'))

  expect(await statusesOf(link)).toEqual(['approved'])
  expect(await chargesOf(link)).toHaveLength(1)
  expect(await readLink(link.id)).toMatchObject({ status: 'completed' })
  expect((await listEventTypes(link)).sort()).toEqual([
    'payment_link.completed',
    'transaction.approved',
  ])
  const refused = answers.filter(({ response }) => response.statusCode !== 303)
  expect(refused).toHaveLength(7)
  for (const { response } of refused) expect([409, 410]).toContain(response.statusCode)
})

test('of the codes shown for a single payment the first one paid completes the link, the others are late', async () => {
  const link = await newLink({ maxPayments: 1 })
  const shown = await payTogether(link, 4, () => ({ method: 'pix' }))

  const paid = await Promise.all(shown.map(({ row }) => payCode(row.id)))

  expect(paid.map(({ status }) => status)).toEqual(Array(4).fill('approved'))
  expect(paid.map(({ paidLate }) => paidLate).sort()).toEqual([false, true, true, true])
  expect(
    (await listEventTypes(link)).filter((type) => type === 'payment_link.completed'),
  ).toHaveLength(1)
})

test('cards and codes together fill three places once, and what was paid besides is marked late', async () => {
  const link = await newLink({ maxPayments: 3 })
  const shown = await payTogether(link, 3, () => ({ method: 'pix' }))

  await Promise.all([
    payTogether(link, 4, () => buildTestCard('ok')),
    ...shown.map(({ row }) => payCode(row.id)),
  ])

  const approved = (await paymentsOf(link)).filter(({ status }) => status === 'approved')
  expect(approved.length).toBeGreaterThanOrEqual(3)
  expect(approved.filter(({ paidLate }) => !paidLate)).toHaveLength(3)
  expect(await readLink(link.id)).toMatchObject({ status: 'completed' })
  expect(
    (await listEventTypes(link)).filter((type) => type === 'payment_link.completed'),
  ).toHaveLength(1)
})

test('a card that waits for its bank holds the place, and gives it back when it is declined', async () => {
  const link = await newLink({ maxPayments: 1 })
  const first = await pay(link, buildTestCard('challenge'))

  const second = await pay(link, buildTestCard('ok'))
  await first.browser.post(new URL(first.row.challengeUrl!).pathname, { answer: 'refuse' })
  const third = await pay(link, buildTestCard('ok'))

  expect(second.response.statusCode).toBe(409)
  expect(readPageText(second.response.body)).toContain(
    'Outro pagamento deste link está em andamento.',
  )
  expect(third.row).toMatchObject({ status: 'approved' })
})

test('a payer who sends the last payment’s form again sees that payment, not a refusal', async () => {
  const link = await newLink({ maxPayments: 1 })
  const send = await openPayerBrowser(app).fill(link, buildTestCard('ok'))

  const answers = await Promise.all([1, 2, 3].map(() => send()))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
  expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1)
})

test('a code of a link for many is told that others were first, not that it was paid', async () => {
  const link = await newLink({ maxPayments: 2 })
  const { url, browser } = await pay(link)
  for (let i = 0; i < 2; i++) await pay(link, buildTestCard('ok'))

  const status = (await browser.get(`${url}/status`)).json()
  const text = readPageText((await browser.get(url)).body)

  expect(status).toMatchObject({ state: 'soldOut' })
  expect(text).toContain('Este link não aceita mais pagamentos')
  expect(text).not.toContain('já foi pago')
})

test('a completed link takes no more payments, not even by a form that was open before', async () => {
  const link = await newLink({ maxPayments: 1 })
  const send = await openPayerBrowser(app).fill(link, buildTestCard('ok'))
  await pay(link, buildTestCard('ok'))

  const response = await send()

  expect(response.statusCode).toBe(410)
  expect(readPageText(response.body)).toContain('Este link já foi pago')
  expect(await statusesOf(link)).toEqual(['approved'])
})

test('the approval and the link’s completion stand or fall together', async () => {
  const link = await newLink({ maxPayments: 1 })
  await db.$client.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
    create trigger refuse before update on payment_links for each row execute function refuse()`)

  const { response } = await pay(link, buildTestCard('ok'))
  const [failed] = await paymentsOf(link)
  const toldMeanwhile = await listEventTypes(link)
  await db.$client.query('drop trigger refuse on payment_links; drop function refuse')
  clock.offsetMs = 21_000
  await reconcileDuePayments(needs)

  expect(response.statusCode).toBe(500)
  expect(failed).toMatchObject({ status: 'processing', approvedAt: null })
  expect(toldMeanwhile).toEqual([])
  expect(await statusesOf(link)).toEqual(['approved'])
  expect(await chargesOf(link)).toHaveLength(1)
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'payment_link.completed'])
  expect(await readLink(link.id)).toMatchObject({ status: 'completed' })
})

test('payments of a link without a limit do not wait for a lock on its row', async () => {
  const link = await newLink()
  const holder = await db.$client.connect()
  await holder.query('begin')
  await holder.query('select 1 from payment_links where id = $1 for no key update', [link.id])

  const paid = await payTogether(link, 3, () => buildTestCard('ok'))
  await holder.query('rollback')
  holder.release()

  expect(paid.map(({ row }) => row.status)).toEqual(['approved', 'approved', 'approved'])
})
