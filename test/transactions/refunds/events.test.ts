// How a refund is told: by webhook and by the API.
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { UTM_NAMES } from '../../../src/database/enums.ts'
import { events } from '../../../src/database/tables.ts'
import { createGuardedAgent } from '../../../src/http/outbound.ts'
import { Refund } from '../../../src/transactions/refunds/schema.ts'
import { TransactionResource } from '../../../src/transactions/schema.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import { createEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { buildTestCard, openCheckout } from '../../support/payer.ts'
import { openReceiver } from '../../support/receiver.ts'
import { MINIMAL_LINK, openTestApp, type TestCompany } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { clock, db, cipher } = testApp
const { newLink, pay } = openCheckout(testApp)
const { newApprovedPayment, requestRefund } = openRefunds(testApp)

test('a refund is told with its payment, to endpoints that ask for it alone', async () => {
  const { company, link, id } = await newApprovedPayment({ metadata: { pedido: '7' } })
  const [asking, silent] = [await openReceiver(), await openReceiver()]
  const endpoint = { companyId: company.id, allowPrivate: true }
  const { secret } = await createEndpoint(db, cipher, {
    ...endpoint,
    url: asking.url,
    events: ['transaction.refunded'],
  })
  await createEndpoint(db, cipher, { ...endpoint, url: silent.url })

  const refund = (
    await requestRefund(company, id, { amountCents: 2_500, reason: 'Veio frio' })
  ).json()
  const agent = createGuardedAgent({ allowPrivate: true })
  await deliverDue({ db, cipher, agent }, new Date(clock.now().getTime() + 1_000))

  const [hit, ...others] = asking.hits
  expect(others).toEqual([])
  expect(silent.hits).toEqual([])
  const message = new Webhook(secret).verify(hit!.body, hit!.headers as Record<string, string>)
  expect(message).toMatchObject({
    type: 'transaction.refunded',
    testMode: true,
    data: {
      transaction: { id, status: 'partially_refunded', refundedCents: 2_500 },
      paymentLink: { id: link.id, metadata: { pedido: '7' } },
      refund,
    },
  })
  const { data } = message as { data: Record<string, object> }
  expect(TransactionResource.strict().parse(data.transaction)).toEqual(data.transaction)
  expect(Refund.strict().parse(data.refund)).toEqual(data.refund)
})

test('with all that a link, a payer and an address may say, in the widest characters, it stays under 20 kB', async () => {
  const wide = (n: number) => '𝒓'.repeat(n)
  const customFields = Array.from({ length: 5 }, (_, i) => ({
    ...{ key: `${i}`.padEnd(40, 'k'), label: `${i}${wide(39)}`, type: 'text' },
  }))
  const longest = {
    ...{ title: wide(128), externalReference: wide(64), customFields },
    tags: Array.from({ length: 20 }, (_, i) => `${i}${wide(48)}`),
  }
  const company = await testApp.newCompany()
  const link = await newLink(await fillUp(company, longest), company)
  const answers = Object.fromEntries(customFields.map(({ key }) => [`custom_${key}`, wide(200)]))
  const { row } = await pay(link, {
    ...buildTestCard('ok', { cardHolder: wide(120) }),
    ...{ name: wide(120), email: `${'a'.repeat(242)}@exemplo.com`, ref: wide(64), ...answers },
    ...Object.fromEntries(UTM_NAMES.map((name) => [`utm_${name}`, '"'.repeat(100)])),
  })

  await requestRefund(company, row.id, { reason: wide(140) })

  const told = await db.select().from(events).where(eq(events.companyId, link.companyId))
  const sizes = told.map(({ body }) => Buffer.byteLength(body))
  expect(row.customFields).toHaveLength(5)
  expect(sizes).toHaveLength(2)
  expect(Math.max(...sizes)).toBeLessThan(20_000)
  expect(Math.max(...sizes)).toBeGreaterThan(18_000)
})

/** As much metadata beside these fields as is taken, to the byte. */
async function fillUp(company: TestCompany, fields: object) {
  let [taken, size] = [0, 8_192]
  const build = (bytes: number) => {
    const texts = Array.from({ length: Math.ceil(bytes / 500) }, (_, i) =>
      'v'.repeat(Math.min(500, bytes - i * 500)),
    )
    return { ...fields, metadata: Object.fromEntries(texts.map((text, i) => [`k${i}`, text])) }
  }
  for (; size >= 1; size /= 2) {
    const tried = build(taken + size)
    const { statusCode } = await company.post('/api/payment-links', { ...MINIMAL_LINK, ...tried })
    if (statusCode === 201) taken += size
  }
  return build(taken)
}

test('a payment shows its refunds, newest first, and they are paged', async () => {
  const { company, id } = await newApprovedPayment()
  const ordered: Refund[] = []
  for (const amountCents of [100, 200, 300]) {
    ordered.unshift((await requestRefund(company, id, { amountCents })).json())
  }

  const shown = await company.get(`/api/transactions/${id}`)
  const first = await company.get(`/api/transactions/${id}/refunds?limit=2`)
  const cursor = first.json().nextCursor
  const second = await company.get(`/api/transactions/${id}/refunds?limit=2&cursor=${cursor}`)

  expect(shown.json()).toMatchObject({ id, refundedCents: 600, refunds: ordered })
  expect(first.json()).toMatchObject({ data: ordered.slice(0, 2), hasMore: true, limit: 2 })
  expect(second.json()).toEqual({
    data: ordered.slice(2),
    hasMore: false,
    nextCursor: null,
    limit: 2,
  })
})
