// Events that stand for real ones, and finding any event without reading the others.
import { expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { EVENT_TYPES, type EventType } from '../../../src/database/enums.ts'
import { newId } from '../../../src/database/id.ts'
import { SendingTarget } from '../../../src/payment-links/sending/schema.ts'
import { toLinkEventData } from '../../../src/payment-links/serialize.ts'
import { Dispute } from '../../../src/transactions/disputes/schema.ts'
import { IncomingPayment } from '../../../src/transactions/incoming/schema.ts'
import { Refund } from '../../../src/transactions/refunds/schema.ts'
import { TransactionResource } from '../../../src/transactions/schema.ts'
import { toTransactionEventData } from '../../../src/transactions/serialize.ts'
import { buildSampleData } from '../../../src/transactions/simulation/sample-event.ts'
import { UnmatchedPayment } from '../../../src/transactions/unmatched/schema.ts'
import { recordEvent } from '../../../src/webhooks/events/event.ts'
import { listEvents } from '../../../src/webhooks/events/log.ts'
import type { EventFilters } from '../../../src/webhooks/events/schema.ts'
import { buildTestCard, openCheckout } from '../../support/payer.ts'
import { explainStatements, listPlanNodes } from '../../support/postgres/query-plans.ts'
import { CHECKOUT_URL, openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock, newCompany } = testApp
const { newLink, pay, read, readLink } = openCheckout(testApp)

const OTHERS = 10_000
const PAGE = 100
const FIRST = { cursor: 'ffffffff-ffff-ffff-ffff-ffffffffffff', limit: 20 }

/** Of those that do not say it by their name. */
const STATUS_OF: Partial<Record<EventType, string>> = {
  'transaction.created': 'pending',
  'transaction.held': 'pending',
  'transaction.overpaid': 'approved',
  'incoming_payment.matched': 'approved',
  'dispute.opened': 'approved',
  'dispute.closed': 'approved',
  'transaction.surplus_refunded': 'approved',
  'transaction.refund_failed': 'approved',
}

const INCOMING_SHAPES = [
  [/^transaction.(overpaid|surplus_refunded)$/, IncomingPayment],
  [/^incoming_payment/, UnmatchedPayment],
] as const

const link = await readLink((await newLink()).id)

test.each(EVENT_TYPES)('a sample of %s says what a real one would', (type) => {
  const now = clock.now()

  const sample = buildSampleData(type, {
    checkoutUrl: CHECKOUT_URL,
    now,
    link: toLinkEventData(link),
  })

  const { transaction, paymentLink, refund, returnedCents, ...more } = sample
  const { incomingPayment, dispute, recipient, ...rest } = more
  expect(rest).toEqual({})
  const isOfNone = /^incoming_payment\.(unmatched|refunded)$/.test(type)
  expect(paymentLink).toEqual(isOfNone ? undefined : toLinkEventData(link))
  expect(transaction === undefined).toBe(/^payment_link/.test(type) || isOfNone)
  const goesBack = ['transaction.refunded', 'transaction.surplus_refunded']
  expect(refund !== undefined).toBe([...goesBack, 'transaction.refund_failed'].includes(type))
  expect(returnedCents).toBe(goesBack.includes(type) ? link.amountCents : undefined)
  const incoming = INCOMING_SHAPES.filter(([pattern]) => pattern.test(type))
  expect(incomingPayment !== undefined).toBe(incoming.length > 0)
  expect(recipient !== undefined).toBe(/\.(sent|reminded)$/.test(type))
  expect(dispute === undefined).toBe(!type.startsWith('dispute.'))
  if (transaction) {
    expect(TransactionResource.strict().parse(transaction)).toMatchObject({
      status: STATUS_OF[type] ?? type.split('.')[1],
      paymentLinkId: link.id,
      paymentLinkSlug: link.slug,
      testMode: true,
    })
  }
  for (const [, shape] of incoming) shape.strict().parse(incomingPayment)
  if (recipient) SendingTarget.strict().parse(recipient)
  if (dispute) expect(Dispute.strict().parse(dispute)).toMatchObject({ kind: 'card' })
  if (refund) expect(Refund.strict().parse(refund)).toMatchObject({ amountCents: link.amountCents })
})

test('a sample has every field of a real event and no other', async () => {
  const { row } = await pay(link, buildTestCard('ok'))
  const real = toTransactionEventData(await read(row.id), link, CHECKOUT_URL)

  const sample = buildSampleData('transaction.approved', {
    checkoutUrl: CHECKOUT_URL,
    now: clock.now(),
  }) as typeof real

  expect(Object.keys(sample.transaction).toSorted()).toEqual(
    Object.keys(real.transaction).toSorted(),
  )
  expect(Object.keys(sample.paymentLink)).toEqual(Object.keys(real.paymentLink))
})

test('what no reader of JSON would take is left out of an event', async () => {
  const company = await newCompany()
  const data = { paymentLink: { id: newId(), title: 'a\0b\ud800c' } }
  const event = { companyId: company.id, type: 'payment_link.expired', testMode: true } as const
  await db.transaction((tx) => recordEvent(tx, { ...event, data, now: clock.now() }))

  const found = await company.get(`/api/events?paymentLinkId=${data.paymentLink.id}`)

  expect(found.json().data).toMatchObject([{ data: { paymentLink: { title: 'ab\ufffdc' } } }])
})

/** So many old events of a company, one a minute, each about a payment of its own, half of them of one link. */
async function fill(companyId: string) {
  await db.$client.query(
    `insert into events (id, company_id, type, body, created_at)
     select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
         || '8' || substr(md5(n::text), 4, 15))::uuid,
       $1, case n % 100 when 0 then 'transaction.refunded' else 'transaction.approved' end,
       json_build_object('type', 'x', 'data', json_build_object(
         'transaction', json_build_object('id', md5(n::text)::uuid),
         'paymentLink', json_build_object('id', md5((case when n % 2 = 0 then 0 else n % 1000 end)::text)::uuid)))::text,
       at
     from generate_series(1, ${OTHERS}) n,
       lateral (select now() - (n || ' minutes')::interval as at) then_at`,
    [companyId],
  )
  await db.$client.query('analyze events')
}

test('a page of events costs the same however many there are, whatever it is filtered by', async () => {
  const { id } = await newCompany()
  await fill(id)
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const hash = (n: number) => sql`md5(${`${n}`})::uuid::text`
  const { rows } = await db.execute<{ payment: string; busy: string; quiet: string }>(
    sql`select ${hash(7_500)} as payment, ${hash(0)} as busy, ${hash(3)} as quiet`,
  )
  const { payment: transactionId, busy, quiet } = rows[0]!

  for (const filters of [
    {},
    { type: 'transaction.refunded' },
    { transactionId },
    { paymentLinkId: busy },
    { paymentLinkId: quiet },
    { createdTo: ago(7_500) },
    { createdFrom: ago(7_520), createdTo: ago(7_500) },
    { type: 'transaction.refunded', createdTo: ago(7_500) },
  ] satisfies EventFilters[]) {
    const plans = await explainStatements(db, /from "events"/, () =>
      listEvents(db, id, { ...FIRST, ...filters }),
    )
    const nodes = plans.flatMap(listPlanNodes)

    const kinds = nodes.map((node) => node['Node Type'])
    const sorted = nodes
      .filter((node) => node['Node Type'].includes('Sort'))
      .map(({ Plans = [] }) => Number(Plans[0]?.['Actual Rows']))
    const removed = nodes.map((node) => Number(node['Rows Removed by Filter'] ?? 0))
    expect(kinds, JSON.stringify(filters)).not.toContain('Seq Scan')
    expect(Math.max(...removed, ...sorted)).toBeLessThanOrEqual(PAGE)
    expect(nodes[0]!['Actual Rows']).toBeGreaterThan(0)
  }
})
