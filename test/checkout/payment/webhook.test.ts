// From the payer's click to the company's receiver: what the webhook says, that it can be believed, and
// that it is sent once however often the click comes.
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { EVENT_TYPES } from '../../../src/database/enums.ts'
import { sandboxCharges } from '../../../src/database/tables.ts'
import { createGuardedAgent } from '../../../src/http/outbound.ts'
import { paySandboxPix } from '../../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { TransactionResource } from '../../../src/transactions/schema.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import { createEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { buildTestCard, openCheckout, openPayerBrowser, PIX } from '../../support/payer.ts'
import { openReceiver } from '../../support/receiver.ts'
import { CHECKOUT_URL, openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, cipher, needs, newCompany } = testApp
const { newLink, pay, paymentsOf, read } = openCheckout(testApp)
const agent = createGuardedAgent({ allowPrivate: true })

/** A company with a receiver for every kind of event that comes of a payment, and what it was sent so far. */
async function companyThatListens() {
  const company = await newCompany()
  const receiver = await openReceiver()
  const { secret } = await createEndpoint(db, cipher, {
    companyId: company.id,
    url: receiver.url,
    events: EVENT_TYPES.filter((type) => type !== 'transaction.created'),
    allowPrivate: true,
  })
  async function received() {
    await deliverDue({ db, cipher, agent }, new Date(clock.now().getTime() + 1_000))
    return receiver.hits.map(({ headers, body }) => ({
      bytes: Buffer.byteLength(body),
      body,
      message: new Webhook(secret).verify(body, headers as Record<string, string>),
    }))
  }
  return { company, received }
}

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('an approved card is told in the shape of the contract', async () => {
  const { company, received } = await companyThatListens()
  const carried = { externalReference: 'PED-7', metadata: { pedido: '7' }, tags: ['bolo', 'festa'] }
  const link = await newLink(
    { maxInstallments: 12, interestMode: 'pass_to_customer', ...carried },
    company,
  )

  const { row } = await pay(link, buildTestCard('ok', { installments: 12, cardLast4: '1234' }))

  const [hit, ...others] = await received()
  expect(others).toEqual([])
  expect(hit!.message).toEqual({
    id: expect.any(String),
    type: 'transaction.approved',
    timestamp: instant,
    testMode: true,
    data: {
      transaction: {
        id: row.id,
        paymentLinkId: link.id,
        paymentLinkSlug: link.slug,
        status: 'approved',
        method: 'credit_card',
        ...{ amountCents: 10_000, interestCents: 2_048, discountCents: 0, totalCents: 12_048 },
        refundedCents: 0,
        chargedBackCents: 0,
        ...{ feeCents: null, feeSource: null, netCents: null, expectedOn: null, payoutParts: null },
        currency: 'BRL',
        installments: 12,
        installmentCents: 1_004,
        interestMode: 'pass_to_customer',
        interestRateBps: 299,
        card: { brand: 'visa', last4: '1234', holderName: 'MARIA SILVA' },
        pix: null,
        threeDs: { status: 'authenticated', eci: '05', flow: 'frictionless' },
        declineCode: null,
        declineMessage: null,
        customer: {
          id: row.customerId,
          name: 'Maria da Silva',
          email: 'maria@exemplo.com.br',
          taxId: '***.982.247-**',
          foreignDocument: null,
        },
        paidLate: false,
        possibleDuplicateOf: null,
        holdReason: null,
        externalReference: 'PED-7',
        metadata: { pedido: '7' },
        tags: ['bolo', 'festa'],
        customFields: [],
        ref: null,
        utm: null,
        receiptUrl: `${CHECKOUT_URL}/${link.slug}/payments/${row.token}`,
        createdAt: instant,
        approvedAt: instant,
        expiresAt: null,
        updatedAt: instant,
        testMode: true,
      },
      paymentLink: {
        id: link.id,
        slug: link.slug,
        title: 'Bolo de cenoura',
        amountCents: 10_000,
        tags: ['bolo', 'festa'],
        externalReference: 'PED-7',
        metadata: { pedido: '7' },
      },
    },
  })
  expect(hit!.body).not.toMatch(/52998224725|529\.982|sbx_ok/)
})

test('a Pix is told with its ids, and the schema of the API knows every field', async () => {
  const { company, received } = await companyThatListens()
  const link = await newLink({}, company)
  const { row, url, browser } = await pay(link, PIX)

  await browser.post(`${url}/simulate`, {})

  const [hit] = await received()
  const { transaction } = (hit!.message as { data: { transaction: object } }).data
  const paid = await read(row.id)
  expect(transaction).toMatchObject({
    method: 'pix',
    card: null,
    threeDs: null,
    pix: {
      txid: row.pixTxid,
      endToEndId: paid.pixEndToEndId,
      brCode: row.pixBrCode,
      expiresAt: row.expiresAt,
    },
    approvedAt: paid.approvedAt,
  })
  expect(TransactionResource.strict().parse(transaction)).toEqual(transaction)
})

test('a declined card is told with the reason that the payer reads', async () => {
  const { company, received } = await companyThatListens()

  await pay(await newLink({}, company), buildTestCard('funds'))

  const [hit] = await received()
  expect(hit!.message).toMatchObject({
    type: 'transaction.declined',
    data: {
      transaction: {
        status: 'declined',
        declineCode: 'insufficient_funds',
        declineMessage: 'Saldo ou limite insuficiente. Tente outro cartão ou pague com Pix.',
        approvedAt: null,
      },
    },
  })
})

test.each([
  { letter: 'x', pairLength: 500 },
  { letter: '😀', pairLength: 70 },
])(
  'the biggest link in $letter stays under 20 kB, and its metadata comes whole',
  async (biggest) => {
    const { letter, pairLength } = biggest
    const { company, received } = await companyThatListens()
    const long = (length: number) => letter.repeat(length)
    const twenty = Array.from({ length: 20 }, (_, i) => 10 + i)
    const metadata = Object.fromEntries(twenty.map((i) => [`${long(38)}${i}`, long(pairLength)]))
    const tags = twenty.map((i) => `${long(48)}${i}`)
    const big = { title: long(128), description: long(2_048), tags, metadata }
    const link = await newLink(big, company)

    const { row } = await pay(link, { ...PIX, name: `n${long(119)}` })
    await paySandboxPix(db, { transactionId: row.id, amountCents: 10_000 }, clock.now())
    await checkPayment(needs, row)

    const [hit] = await received()
    expect(hit!.bytes).toBeLessThan(20_000)
    const { transaction, paymentLink } = (hit!.message as { data: Record<string, object> }).data
    expect(transaction).toMatchObject({ metadata, tags })
    expect(paymentLink).toMatchObject({ title: big.title })
    expect(paymentLink).not.toHaveProperty('metadata')
  },
)

test('many simultaneous submissions of one form make one charge, and equal answers', async () => {
  const { company, received } = await companyThatListens()
  const link = await newLink({}, company)
  const send = await openPayerBrowser(app).fill(link, buildTestCard('ok'))

  const answers = await Promise.all(Array.from({ length: 20 }, () => send()))

  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([303]))
  expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1)
  const [payment, ...others] = await paymentsOf(link)
  expect(others).toEqual([])
  expect(payment).toMatchObject({ status: 'approved' })
  const charges = await db
    .select()
    .from(sandboxCharges)
    .where(eq(sandboxCharges.reference, payment!.providerReference!))
  expect(charges).toHaveLength(1)
  expect(await received()).toHaveLength(1)
})
