// Links that take no cards for a while, because too many were declined.
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { archivePaymentLink } from '../../../src/payment-links/change/change.ts'
import { MINUTE_MS, openCardTesting } from '../../support/card-testing.ts'
import { openLinkApi } from '../../support/link-api.ts'
import {
  buildTestCard,
  MARIA,
  openCheckout,
  openPayerBrowser,
  PIX,
  readFormFields,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, anotherProcess, newCompany } = testApp
const { newLink, pay, paymentsOf, readLink, editLink, listEventTypes } = openCheckout(testApp)
const { duplicateLink } = openLinkApi(testApp)
const { attack, decline, chargesOf, warningsOf } = openCardTesting(testApp)
const other = await anotherProcess({}, afterAll)

const PAUSED = 'Cartão indisponível neste link por enquanto. Pague com Pix.'

// Nothing that one test did is counted in the next.
beforeEach(() => {
  clock.offsetMs += 2 * 60 * MINUTE_MS
})

test('twenty declines in an hour do not pause a link’s cards, one more would: cards pause for an hour, and the company is told once', async () => {
  const link = await newLink()
  await decline(link, 20)
  expect(await readLink(link.id)).toMatchObject({ cardsPausedUntil: null })

  const told = await listEventTypes(link)
  const answers = await attack({ links: [link], attackers: 6, processes: [app, other] })

  const until = (await readLink(link.id)).cardsPausedUntil!
  const leftMs = Date.parse(until) - clock.now().getTime()
  expect(leftMs / MINUTE_MS).toBeCloseTo(60, 0)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(429))
  expect(readPageText(answers[0]!.body)).toContain(PAUSED)
  expect(await chargesOf(link)).toBe(20)
  expect(await warningsOf(link)).toMatchObject([
    {
      actor: 'Vintém',
      action: 'cards_paused',
      userId: null,
      subjectId: link.id,
      subject: 'Bolo de cenoura',
      details: { declined: '20', pausedUntil: until },
    },
  ])
  expect(await listEventTypes(link)).toEqual(told)
})

test('declines spread over more than an hour pause nothing', async () => {
  const link = await newLink()
  for (let i = 0; i < 4; i++) {
    await decline(link, 10)
    clock.offsetMs += 31 * MINUTE_MS
  }

  const { row } = await pay(link, buildTestCard('ok'))

  expect(row).toMatchObject({ status: 'approved' })
  expect(await readLink(link.id)).toMatchObject({ cardsPausedUntil: null })
})

async function pausedLink(more: object = {}) {
  const link = await newLink(more)
  await pauseCards(link)
  return link
}

async function pauseCards({ id }: { id: string }) {
  const cardsPausedUntil = new Date(clock.now().getTime() + 60 * MINUTE_MS).toISOString()
  await editLink(id, { cardsPausedUntil })
  return cardsPausedUntil
}

test('while cards are paused the page offers Pix alone and says so, in every process; then both again', async () => {
  const link = await pausedLink()
  const show = (process: FastifyInstance) => openPayerBrowser(process).get(`/pagar/${link.slug}`)
  await openPayerBrowser(app).get(`/pagar/${link.slug}?method=credit_card`)

  const pages = [await show(app), await show(app), await show(other)]
  const pix = await pay(link, PIX)
  const refused = await pay(link, buildTestCard('ok'))
  clock.offsetMs += 61 * MINUTE_MS
  const later = await show(app)
  const paid = await pay(link, buildTestCard('ok'))

  for (const page of pages) {
    expect(page.statusCode).toBe(200)
    expect(readPageText(page.body).split(PAUSED)).toHaveLength(2)
    expect(page.body).not.toMatch(/cc-number|checkout-sandbox\.js|credit_card/)
    expect(readFormFields(page.body)).toMatchObject({ method: 'pix' })
  }
  expect(pix.row).toMatchObject({ status: 'pending' })
  expect(refused.response.statusCode).toBe(429)
  expect(later.body).toContain('cc-number')
  expect(readPageText(later.body)).not.toContain(PAUSED)
  expect(paid.row).toMatchObject({ status: 'approved' })
})

test('a link for cards alone says while they are paused that it cannot be paid, and for how long', async () => {
  const link = await newLink({ methods: ['credit_card'] })
  const send = await openPayerBrowser(app).fill(link, buildTestCard('ok'))
  await pauseCards(link)

  const page = await openPayerBrowser(app).get(`/pagar/${link.slug}`)
  const sent = await send()

  expect(page.statusCode).toBe(503)
  expect(Number(page.headers['retry-after'])).toBeGreaterThan(3_500)
  expect(readPageText(page.body)).toContain('Cartão indisponível por enquanto')
  expect(readPageText(page.body)).toContain('Nada foi cobrado.')
  expect(sent.statusCode).toBe(429)
  expect(readPageText(sent.body)).toContain('Tente novamente mais tarde.')
  expect(readFormFields(sent.body)).toMatchObject(MARIA)
  expect(await paymentsOf(link)).toEqual([])
})

test('an archived link stays archived, whatever its cards are', async () => {
  const link = await pausedLink({ methods: ['credit_card'] })
  await archivePaymentLink(db, link.id, clock.now())

  expect((await openPayerBrowser(app).get(`/pagar/${link.slug}`)).statusCode).toBe(410)
})

test('a copy of a link takes cards while those of the link are paused', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const cardsPausedUntil = await pauseCards(link)

  const copy = await duplicateLink(company, link.id)
  const changed = await app.inject({
    method: 'PATCH',
    url: `/api/payment-links/${link.id}`,
    headers: { authorization: `Bearer ${company.key}` },
    payload: { title: 'Bolo de fubá' },
  })

  expect(changed.statusCode).toBe(200)
  expect(await readLink(copy.id)).toMatchObject({ cardsPausedUntil: null })
  expect(await readLink(link.id)).toMatchObject({ title: 'Bolo de fubá', cardsPausedUntil })
})
