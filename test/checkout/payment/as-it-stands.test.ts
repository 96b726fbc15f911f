// A link that changes while a payer looks at its form is paid as it stands when the form is sent.
import { expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import {
  buildTestCard,
  MARIA,
  openCheckout,
  openPayerBrowser,
  PIX,
  readFormFields,
  readPageText,
  type TestLink,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db } = testApp
const { newLink, paymentsOf } = openCheckout(testApp)

async function openPayer(more: object = {}) {
  const link = await newLink(more)
  return { link, send: await openPayerBrowser(app).fill(link) }
}

function change({ id }: TestLink, set: string) {
  const later = `updated_at = updated_at + interval '1 ms'`
  return db.execute(sql.raw(`update payment_links set ${set}, ${later} where id = '${id}'`))
}

test.each([
  ['archived', "status = 'archived'", 410],
  ['paused', "status = 'inactive'", 410],
  ['expired', "expires_at = now() - interval '1 second'", 410],
  ['dearer', 'amount_cents = 12000', 409],
  ['cheaper by Pix', 'pix_discount_bps = 500', 409],
  ['for cards alone', "methods = '{credit_card}'", 409],
])(
  'a link that was made %s a moment ago is not paid as its form has it',
  async (_, set, status) => {
    const { link, send } = await openPayer(status === 410 ? { maxPayments: 5 } : {})
    await change(link, set)

    const answer = await send(PIX)

    expect(answer.statusCode).toBe(status)
    expect(await paymentsOf(link)).toEqual([])
  },
)

test.each([
  ['Pix', PIX, 'credit_card', 'O Pix não está disponível agora neste link. Pague com cartão.'],
  ['a card', buildTestCard('ok'), 'pix', 'Cartão indisponível neste link por enquanto.'],
])(
  'a payer who chose %s is told that the link has it no more, and keeps what was typed',
  async (_chosen, filled, left, why) => {
    const { link, send } = await openPayer()
    await change(link, `methods = '{${left}}'`)

    const answer = await send(filled)

    expect(readPageText(answer.body)).toContain(why)
    expect(readPageText(answer.body)).not.toContain('Confira 1 campo')
    expect(readFormFields(answer.body)).toMatchObject({ name: MARIA.name, method: left })
    expect(await paymentsOf(link)).toEqual([])
  },
)

test.each(['max_installments = 3', "interest_mode = 'pass_to_customer'"])(
  'where %s alone a card is told that, and Pix, which pays the same, is paid',
  async (set) => {
    const { link, send } = await openPayer({ maxInstallments: 12, interestMode: 'absorb' })
    await change(link, set)

    const card = await send(buildTestCard('ok'))
    const pix = await send(PIX)

    expect(card.statusCode).toBe(409)
    expect(readPageText(card.body)).toContain('As parcelas deste link mudaram. Confira e confirme.')
    expect(pix.statusCode).toBe(303)
    expect(await paymentsOf(link)).toMatchObject([{ method: 'pix', totalCents: 10_000 }])
  },
)

test('where the price of a Pix alone has changed, a card, which pays the same, is paid', async () => {
  const { link, send } = await openPayer({ pixDiscountBps: 500 })
  await change(link, 'pix_discount_bps = null')

  const pix = await send(PIX)
  const card = await send(buildTestCard('ok'))

  expect(pix.statusCode).toBe(409)
  expect(readPageText(pix.body)).toContain('O valor deste link mudou.')
  expect(card.statusCode).toBe(303)
  expect(await paymentsOf(link)).toMatchObject([{ totalCents: 10_000, discountCents: 0 }])
})

test('the price that is committed is what the payer is asked to confirm, and then charged', async () => {
  const { link, send } = await openPayer()
  await change(link, 'amount_cents = 12000')

  const asked = await send(PIX)
  const confirmed = await send({ ...readFormFields(asked.body), ...PIX })

  expect(readPageText(asked.body)).toContain('120,00')
  expect(confirmed.statusCode).toBe(303)
  expect(await paymentsOf(link)).toMatchObject([{ amountCents: 12_000 }])
})

test('the terms of the company too are those that are committed', async () => {
  const terms = { maxInstallments: 3, interestMode: 'pass_to_customer' }
  const { link, send } = await openPayer(terms)
  await db.execute(
    sql`update companies set interest_rate_bps = 500, updated_at = updated_at + interval '1 ms' where id = ${link.companyId}`,
  )

  const answer = await send(buildTestCard('ok', { installments: '3' }))

  expect(answer.statusCode).toBe(409)
  expect(await paymentsOf(link)).toEqual([])
})

test('a change that alters nothing of what was shown stops no payment', async () => {
  const { link, send } = await openPayer()
  await change(link, "title = 'Bolo de fubá'")

  const answer = await send(PIX)

  expect(answer.statusCode).toBe(303)
  expect(await paymentsOf(link)).toHaveLength(1)
})
