// Payments that did not come about are told to the endpoints that ask for it, and to no other.
import { afterEach, expect, test } from 'vitest'
import type { EventType } from '../../src/database/enums.ts'
import { createGuardedAgent } from '../../src/http/outbound.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import { TransactionResource } from '../../src/transactions/schema.ts'
import { deliverDue } from '../../src/webhooks/deliveries/delivery.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/endpoint.ts'
import { buildTestCard, openCheckout, PIX } from '../support/payer.ts'
import { openReceiver } from '../support/receiver.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db, cipher, needs, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)
const agent = createGuardedAgent({ allowPrivate: true })

afterEach(() => {
  clock.offsetMs = 0
})

test.each<[EventType, string, object]>([
  ['transaction.declined', 'declined', buildTestCard('funds')],
  ['transaction.expired', 'expired', PIX],
])('%s reaches who asks for it', async (type, status, filled) => {
  const company = await newCompany()
  const [asking, silent] = [await openReceiver(), await openReceiver()]
  const endpoint = { companyId: company.id, allowPrivate: true }
  await createEndpoint(db, cipher, { ...endpoint, url: asking.url, events: [type] })
  await createEndpoint(db, cipher, { ...endpoint, url: silent.url })
  const link = await newLink({ tags: ['bolo'] }, company)
  const { row } = await pay(link, filled)

  clock.offsetMs = 31 * 60_000
  await reconcileDuePayments(needs)
  await deliverDue({ db, cipher, agent }, new Date(clock.now().getTime() + 1_000))

  const [hit, ...others] = asking.hits
  expect(others).toEqual([])
  expect(silent.hits).toEqual([])
  const body = JSON.parse(hit!.body)
  expect(body).toEqual({
    id: hit!.headers['webhook-id'],
    type,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    testMode: true,
    data: {
      transaction: expect.objectContaining({ id: row.id, status, approvedAt: null }),
      paymentLink: expect.objectContaining({ id: link.id, slug: link.slug, tags: ['bolo'] }),
    },
  })
  const { transaction } = body.data
  expect(TransactionResource.strict().parse(transaction)).toEqual(transaction)
})

test('that a payment was begun is told to who asks for it, with txid and institution of a Pix, before it is paid', async () => {
  const company = await newCompany()
  const asking = await openReceiver()
  const endpoint = { companyId: company.id, allowPrivate: true, url: asking.url }
  await createEndpoint(db, cipher, { ...endpoint, events: ['transaction.created'] })
  const links = [await newLink({}, company), await newLink({ maxPayments: 3 }, company)]

  const { row: pix } = await pay(links[0]!, PIX)
  const { row: card } = await pay(links[1]!, buildTestCard('ok'))
  await deliverDue({ db, cipher, agent }, new Date(clock.now().getTime() + 1_000))

  const told = asking.hits.map(({ body }) => JSON.parse(body))
  expect(told.map(({ type }) => type)).toEqual(['transaction.created', 'transaction.created'])
  const ofPix = told.find(({ data }) => data.transaction.id === pix.id)
  const institution = { cnpj: '11222333000181', ispb: '11222333', name: 'Banco de teste' }
  expect(ofPix.data.transaction).toMatchObject({
    ...{ status: 'pending', pix: { txid: pix.pixTxid, endToEndId: null, institution } },
  })
  expect(told.some(({ data }) => data.transaction.id === card.id)).toBe(true)
})

test('without an endpoint that asks for it, no event says that a payment was begun', async () => {
  const company = await newCompany()
  await pay(await newLink({}, company), PIX)

  const { data } = (await company.get('/api/events')).json()

  expect(data.map(({ type }: { type: string }) => type)).not.toContain('transaction.created')
})
