// What becomes of a Pix: its code, its expiry, money that comes late and money that does not add up.
import { getPixPayloadInfo, isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import { afterEach, expect, test } from 'vitest'
import { paySandboxPix } from '../../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openCheckout, PIX, readFormFields, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { newLink, pay, read, paymentsOf, editCompany, listEventTypes } = openCheckout(testApp)

const HALF_HOUR_MS = 30 * 60_000

afterEach(() => {
  clock.offsetMs = 0
})

/** Somebody pays the code in their bank's app; we have not heard of it yet. */
async function payCode(transactionId: string, amountCents: number) {
  await paySandboxPix(db, { transactionId, amountCents }, clock.now())
}

test('a Pix waits with a code that carries its amount and its id, for the time the company set', async () => {
  const link = await newLink({ amountCents: 1_990 })
  await editCompany(link.companyId, { pixExpirySeconds: 600, city: 'São Paulo' })

  const { row, browser, url } = await pay(link)

  expect(row).toMatchObject({ status: 'pending', totalCents: 1_990, installments: 1 })
  expect(Date.parse(row.expiresAt!) - Date.parse(row.createdAt)).toBe(600_000)
  expect(row.pixTxid).toMatch(/^[A-Za-z0-9]{25}$/)
  expect(isValidPixPayload(row.pixBrCode!)).toBe(true)
  expect(getPixPayloadInfo(row.pixBrCode!)).toMatchObject({
    amount: 19.9,
    txid: row.pixTxid,
    merchantName: 'PADARIA SOL',
    merchantCity: 'SAO PAULO',
  })
  expect((await browser.get(url)).body).toContain(`value="${row.pixBrCode}"`)
  expect(await listEventTypes(link)).toEqual([])
})

test('a Pix costs the price, whatever the interest of installments', async () => {
  const link = await newLink({ maxInstallments: 12, interestMode: 'pass_to_customer' })

  const { row } = await pay(link, { ...PIX, installments: 12 })

  expect(row).toMatchObject({ installments: 1, totalCents: 10_000, interestCents: 0 })
})

test('an unpaid code expires, by its own instant', async () => {
  const link = await newLink()
  const { row, browser, url } = await pay(link)

  clock.offsetMs = HALF_HOUR_MS - 5_000
  await reconcileDuePayments(needs)
  expect(await read(row.id)).toMatchObject({ status: 'pending' })
  clock.offsetMs = HALF_HOUR_MS + 1
  expect(readPageText((await browser.get(url)).body)).toContain('O código Pix venceu')
  await reconcileDuePayments(needs)

  expect(await read(row.id)).toMatchObject({ status: 'expired', checkAt: null, approvedAt: null })
  expect(await listEventTypes(link)).toEqual(['transaction.expired'])
})

test('a Pix paid after its expiry is approved and marked late, once', async () => {
  const link = await newLink()
  const { row } = await pay(link)
  clock.offsetMs = HALF_HOUR_MS + 1_000
  await reconcileDuePayments(needs)
  expect(await read(row.id)).toMatchObject({ status: 'expired' })

  clock.offsetMs = HALF_HOUR_MS + 60_000
  await payCode(row.id, 10_000)
  await checkPayment(needs, await read(row.id))
  await checkPayment(needs, await read(row.id))

  expect(await read(row.id)).toMatchObject({ status: 'approved', paidLate: true })
  expect(await listEventTypes(link)).toEqual(['transaction.expired', 'transaction.approved'])
})

test('a form of another version is paid while its price is the same; of an unknown one that is said', async () => {
  const [link, dearer] = [await newLink(), await newLink({ amountCents: 12_000 })]
  const submit = (to: typeof link, more: object) => pay(to, { ...PIX, ...more })

  const refused = [
    await submit(link, { quote: 'v9:10000' }),
    await submit(link, { quote: '' }),
    await submit(dearer, { quote: 'x'.repeat(16) }),
  ]
  const unknownHash = await submit(link, { quote: `10000-${'x'.repeat(16)}` })

  for (const { response } of refused) {
    expect(response.statusCode).toBe(409)
    expect(readPageText(response.body)).toContain('Este formulário expirou.')
  }
  expect(unknownHash.response.statusCode).toBe(303)
  expect(await paymentsOf(link)).toHaveLength(1)
  expect(await paymentsOf(dearer)).toEqual([])
})

test('a payer who paid the old code and asks for a new one gets the receipt instead', async () => {
  const link = await newLink()
  const { row, browser, url } = await pay(link)
  clock.offsetMs = HALF_HOUR_MS - 1_000
  await payCode(row.id, 10_000)

  clock.offsetMs = HALF_HOUR_MS + 1_000
  const expired = await browser.get(url)
  const renewed = await browser.post(`${url}/renew`, readFormFields(expired.body))

  expect(renewed.headers.location).toBe(url)
  expect(await paymentsOf(link)).toMatchObject([{ status: 'approved', paidLate: false }])
})
