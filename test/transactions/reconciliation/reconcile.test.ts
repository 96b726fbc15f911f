// Payments that ended without our hearing of it. The provider is the sandbox, made to fail around its book.
import { expect, test } from 'vitest'
import { ProviderDown } from '../../../src/providers/provider.ts'
import { buildTestCard, openCheckout, PIX, readPageText } from '../../support/payer.ts'
import { breakOff, openFailingSandbox } from '../../support/providers/failing-sandbox.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { newLink, pay, read, paymentsOf, chargeOf, listEventTypes } = openCheckout(testApp)
const { sandbox, failing, mend, reconcileAfter } = openFailingSandbox(testApp)

test('a charge with a lost answer is found again, and the card is charged once', async () => {
  failing({
    async charge(charge, now) {
      await sandbox.charge(charge, now)
      return breakOff()
    },
  })
  const link = await newLink()

  const { row, response, browser, url } = await pay(link, buildTestCard('ok'))
  expect(response.statusCode).toBe(303)
  expect(row).toMatchObject({ status: 'processing' })
  expect(readPageText((await browser.get(url)).body)).toContain('Não é preciso pagar de novo.')
  await reconcileAfter(19_000)
  expect(await read(row.id)).toMatchObject({ status: 'processing' })
  await reconcileAfter(21_000)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
  expect(await chargeOf(row.id)).toMatchObject({ status: 'approved', amountCents: 10_000 })
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
})

test('a charge that never reached the provider is given up after a minute, and not before', async () => {
  failing({ charge: breakOff })
  const { row } = await pay(await newLink(), buildTestCard('ok'))

  await reconcileAfter(21_000)
  await reconcileAfter(59_000)
  expect(await read(row.id)).toMatchObject({ status: 'processing' })
  await reconcileAfter(70_000)

  expect(await read(row.id)).toMatchObject({
    status: 'declined',
    declineCode: 'provider_error',
    abecsCode: '91',
  })
  expect(await chargeOf(row.id)).toBeUndefined()
})

test('money taken for a payment that was given up meanwhile goes back', async () => {
  const held = Promise.withResolvers<void>()
  const charging = Promise.withResolvers<void>()
  failing({
    async charge(charge, now) {
      charging.resolve()
      await held.promise
      return sandbox.charge(charge, now)
    },
  })
  const link = await newLink()
  const paying = pay(link, buildTestCard('ok'))
  await charging.promise

  await reconcileAfter(61_000)
  held.resolve()
  const { row } = await paying

  expect(row).toMatchObject({ status: 'declined', approvedAt: null })
  expect(await chargeOf(row.id)).toMatchObject({ status: 'voided' })
  expect(await listEventTypes(link)).toEqual(['transaction.declined'])
})

test.each([
  ['broke off', breakOff],
  ['was down', async () => Promise.reject(new ProviderDown('503'))],
])(
  'when the provider %s, a Pix gets its code later, once, under the same id',
  async (_how, charge) => {
    failing({ charge })
    const link = await newLink()
    const { row, browser, url } = await pay(link, PIX)
    expect(row).toMatchObject({ status: 'pending', pixBrCode: null })
    expect(readPageText((await browser.get(url)).body)).toContain('Estamos gerando o código Pix')

    mend()
    await reconcileAfter(2_000)

    const code = await read(row.id)
    expect(code).toMatchObject({
      status: 'pending',
      pixTxid: row.pixTxid,
      expiresAt: row.expiresAt,
    })
    expect((await browser.get(url)).body).toContain(code.pixBrCode)
    expect(await paymentsOf(link)).toHaveLength(1)
  },
)

test('a Pix that never got a code expires like any other', async () => {
  failing({ charge: breakOff })
  const { row } = await pay(await newLink(), PIX)

  await reconcileAfter(31 * 60_000)

  expect(await read(row.id)).toMatchObject({ status: 'expired', pixBrCode: null })
})

test('a provider that cannot be asked is asked again soon, and not before', async () => {
  failing({
    async charge(charge, now) {
      await sandbox.charge(charge, now)
      return breakOff()
    },
    find: breakOff,
  })
  const { row } = await pay(await newLink(), buildTestCard('ok'))
  await reconcileAfter(21_000)
  mend()

  await reconcileAfter(25_000)
  expect(await read(row.id)).toMatchObject({ status: 'processing' })
  await reconcileAfter(27_000)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('one payment that cannot be checked keeps no other from being checked', async () => {
  const [bad, good] = [
    await pay(await newLink(), buildTestCard('slow')),
    await pay(await newLink(), buildTestCard('slow')),
  ]
  failing({
    find: (key, now) => (key.transactionId === bad.row.id ? breakOff() : sandbox.find(key, now)),
  })

  await reconcileAfter(12_000)

  expect(await read(bad.row.id)).toMatchObject({ status: 'processing' })
  expect(await read(good.row.id)).toMatchObject({ status: 'approved' })
})
