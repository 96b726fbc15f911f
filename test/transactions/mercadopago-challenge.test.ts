// A card at Mercado Pago; its bank asks the payer, in a frame of the payment's page.
import { afterEach, expect, test } from 'vitest'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import {
  buildMercadoPagoCard,
  findPolicyDirective,
  openMercadoPagoMerchant,
} from '../support/providers/mercadopago/merchant.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { clock, needs } = testApp
const { fake, newCardLink, pay, read } = await openMercadoPagoMerchant(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

test('the bank asks in a frame, and once the payer is back the payment ends', async () => {
  const { row, browser, url } = await pay(await newCardLink(), buildMercadoPagoCard('challenge'))
  expect(row).toMatchObject({ status: 'awaiting_authentication' })
  const page = await browser.get(url)
  const waiting = await browser.post(`${url}/check`, {})

  fake.answerChallenge(row.providerReference!, true)
  const ended = await browser.post(`${url}/check`, {})

  expect(page.body).toContain(`src="${row.challengeUrl}"`)
  expect(findPolicyDirective(String(page.headers['content-security-policy']), 'frame-src')).toBe(
    'frame-src https:',
  )
  expect(waiting.json()).toMatchObject({ state: 'challenge' })
  expect(ended.json()).toMatchObject({ state: 'approved' })
  expect(await read(row.id)).toMatchObject({ status: 'approved', threeDsFlow: 'challenge' })
  const receipt = await browser.get(url)
  expect(findPolicyDirective(String(receipt.headers['content-security-policy']), 'frame-src')).toBe(
    "frame-src 'none'",
  )
})

test('once the bank has its answer the payment is processing, and the payer is not asked again', async () => {
  const { row, browser, url } = await pay(await newCardLink(), buildMercadoPagoCard('challenge'))
  fake.moveTo(row.providerReference!, 'processing', 'in_review')

  const reviewed = await browser.post(`${url}/check`, {})
  const page = await browser.get(url)

  expect(reviewed.json()).toMatchObject({ state: 'processing' })
  expect(await read(row.id)).toMatchObject({ status: 'processing', expiresAt: null })
  expect(page.body).not.toContain(row.challengeUrl)
  fake.accept(row.providerReference!)
  clock.offsetMs += 6_000
  await reconcileDuePayments(needs)
  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('asking again and again costs Mercado Pago no more than twenty calls a minute', async () => {
  const { browser, url } = await pay(await newCardLink(), buildMercadoPagoCard('challenge'))
  const before = fake.asked.length

  const states: string[] = []
  for (let n = 0; n < 25; n++) states.push((await browser.post(`${url}/check`, {})).json().state)

  expect(new Set(states)).toEqual(new Set(['challenge']))
  expect(fake.asked.length - before).toBe(20)
})
