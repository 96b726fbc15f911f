// Pix codes that are open and not paid: how many a link and its company take before networks that are new have to
// take turns.
import { beforeEach, expect, test } from 'vitest'
import { pt } from '../../../src/checkout/texts/pt.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { AGAIN, openCheckout, PIX, readPageText, type TestLink } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db, needs, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)

// Whole hours without an open payment.
beforeEach(() => {
  clock.offsetMs += 2 * 60 * 60_000
})

/** The same Pix so many times more. */
async function openMore(id: string, count: number) {
  const columns = await db.$client.query(
    "select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns where table_name = 'transactions' and column_name not in ('id', 'token', 'attempt_token', 'provider_reference', 'pix_txid')",
  )
  const names = sql.raw(columns.rows[0].names)
  await db.execute(sql`
    insert into transactions (id, token, attempt_token, ${names})
    select (left(id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, left(token, 18) || lpad(n::text, 6, '0'),
      left(attempt_token, 18) || lpad(n::text, 6, '0'), ${names}
    from transactions, generate_series(1, ${count}::int) n where id = ${id}`)
}

/** One more payer from a new network, after 29 of them a minute, or 30, have had their turns. */
async function payAsStranger(link: TestLink, taken: 29 | 30) {
  const turns = { max: 30, windowMs: 60_000 }
  for (let i = 0; i < taken; i++) await needs.limiter.countHit(`new-payers:${link.id}`, turns)
  return (await pay(link)).response
}

test('beyond 200 open codes of a link new networks take turns, others go on, and what expires makes room', async () => {
  const link = await newLink()
  const first = await pay(link)
  await openMore(first.row.id, 199)

  const inTurn = await payAsStranger(link, 29)
  const refused = (await pay(link)).response
  const before = await first.browser.pay(link, PIX, AGAIN)
  const elsewhere = await pay(await newLink())
  clock.offsetMs += 31 * 60_000
  const later = await payAsStranger(link, 30)

  expect([inTurn.statusCode, refused.statusCode]).toEqual([303, 429])
  expect(readPageText(refused.body)).toContain(pt.problems.manyPix)
  expect(before.statusCode).toBe(303)
  expect(elsewhere.response.statusCode).toBe(303)
  expect(later.statusCode).toBe(303)
})

test('so they do beyond 1,000 of a company, on each of its links', async () => {
  const owner = await newCompany()
  const links = [await newLink({}, owner), await newLink({}, owner)]
  for (let i = 0; i < 5; i++) await openMore((await pay(await newLink({}, owner))).row.id, 199)

  for (const link of links) {
    expect((await payAsStranger(link, 29)).statusCode).toBe(303)
    expect((await pay(link)).response.statusCode).toBe(429)
  }
})

test('where 50 were paid in the last hour 50 more may be open', async () => {
  const link = await newLink()
  const { row } = await pay(link)
  await openMore(row.id, 249)
  await db.execute(sql`update transactions set status = 'approved', approved_at = created_at
    where payment_link_id = ${link.id} and id in (
      select id from transactions where payment_link_id = ${link.id} order by id desc limit 50)`)

  expect((await payAsStranger(link, 30)).statusCode).toBe(303)
})
