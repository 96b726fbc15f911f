// How many links there are, up to where counting ends.
import { expect, test } from 'vitest'
import { countPaymentLinks } from '../../../src/payment-links/list/count.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { newMerchant } = openPayments(testApp)

test('ten thousand links are counted; of one more it is only said that there are more', async () => {
  const { companyId, linkId } = await newMerchant()
  const addCopies = (from: number, to: number) =>
    db.$client.query(
      `insert into payment_links select (jsonb_populate_record(one, jsonb_build_object(
        'id', '01700000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'), 'slug', 'n' || n))).*
      from payment_links one, generate_series($2::int, $3::int) n where id = $1`,
      [linkId, from, to],
    )
  await addCopies(1, 9_999)

  const most = await countPaymentLinks(db, companyId, {}, clock.now())
  await addCopies(10_000, 10_000)
  const more = await countPaymentLinks(db, companyId, {}, clock.now())

  expect(most).toEqual({ kind: 'exact', count: 10_000 })
  expect(more).toEqual({ kind: 'partial', count: 10_000 })
})
