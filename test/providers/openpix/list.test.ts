// What came in at Woovi, in one list whatever charge it was for.
import { expect, test } from 'vitest'
import { openOpenPixAccount } from '../../support/providers/openpix/account.ts'

const { woovi, provider, clock, now, paid } = await openOpenPixAccount()

const MINUTE_MS = 60_000

test('all pages of a list are read, and each Pix names its charge where it has one', async () => {
  const { charge, pix } = await paid(2_500)
  const strange = Array.from({ length: 120 }, () => woovi.pay('', 700))
  clock.offsetMs = MINUTE_MS

  const from = new Date(now().getTime() - 10 * MINUTE_MS).toISOString()
  const listing = await provider.list!({ from }, now())

  expect(listing.pix).toHaveLength(121)
  expect(listing.pix.find(({ endToEndId }) => endToEndId === pix.endToEndId)).toMatchObject({
    chargeReference: charge.transactionId,
    amountCents: 2_500,
    paidAt: pix.time,
  })
  const other = listing.pix.find(({ endToEndId }) => endToEndId === strange[0]!.endToEndId)
  expect(other).toMatchObject({ txid: null, amountCents: 700 })
  expect(other?.chargeReference).toBeUndefined()
})

test('a charge is named as we write its id, whatever the letters are there', async () => {
  const { charge, pix } = await paid(2_500)
  pix.charge = charge.transactionId.toUpperCase()
  clock.offsetMs = MINUTE_MS

  const from = new Date(now().getTime() - 10 * MINUTE_MS).toISOString()
  const listing = await provider.list!({ from }, now())

  const own = listing.pix.filter(({ endToEndId }) => endToEndId === pix.endToEndId)
  expect(own).toMatchObject([{ chargeReference: charge.transactionId }])
})

test('a Pix that cannot be read hides no other, and its charge is named', async () => {
  const [odd, good] = [await paid(2_500), await paid(700)]
  Object.assign(odd.pix, { value: 'vinte e cinco' })
  clock.offsetMs = 2 * MINUTE_MS

  const from = new Date(now().getTime() - 10 * MINUTE_MS).toISOString()
  const { pix, unread } = await provider.list!({ from }, now())

  const ids = pix.map(({ endToEndId }) => endToEndId)
  expect(ids).toContain(good.pix.endToEndId)
  expect(ids).not.toContain(odd.pix.endToEndId)
  expect(unread).toMatchObject([{ chargeReference: odd.charge.transactionId }])
})
