// A card payment that the payer confirms with the bank (3-D Secure), on the simulated bank's page.
import { afterEach, expect, test } from 'vitest'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { buildTestCard, openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock, needs } = testApp
const { newLink, pay, read, chargeOf, listEventTypes } = openCheckout(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

test.each([
  ['challenge', 'approve', { status: 'approved', threeDsEci: '05' }],
  ['challenge', 'refuse', { status: 'declined', declineCode: 'threeds_failed', abecsCode: null }],
  [
    'challenge_declined',
    'approve',
    { status: 'declined', declineCode: 'generic', abecsCode: '05' },
  ],
])(
  'a %s card waits for the bank’s page, and there the payer’s %s decides',
  async (scenario, answer, end) => {
    const link = await newLink()
    const { row, browser } = await pay(link, buildTestCard(scenario))
    expect(row).toMatchObject({ status: 'awaiting_authentication', approvedAt: null })
    expect(await listEventTypes(link)).toEqual([])

    const bank = new URL(row.challengeUrl!).pathname
    expect(readPageText((await browser.get(bank)).body)).toContain('Padaria Sol Valor R$ 100,00')
    const answered = await browser.post(bank, { answer })

    expect(answered.statusCode).toBe(303)
    expect(await read(row.id)).toMatchObject({ ...end, threeDsFlow: 'challenge' })
    expect(await listEventTypes(link)).toEqual([`transaction.${end.status}`])
  },
)

test('only the first answer on the bank’s page counts', async () => {
  const { row, browser } = await pay(await newLink(), buildTestCard('challenge'))
  const bank = new URL(row.challengeUrl!).pathname

  await browser.post(bank, { answer: 'refuse' })
  await browser.post(bank, { answer: 'approve' })

  expect(await read(row.id)).toMatchObject({ status: 'declined' })
  expect(await chargeOf(row.id)).toMatchObject({ status: 'voided', paidAt: null })
  expect(readPageText((await browser.get(bank)).body)).toContain('Sua resposta foi enviada')
})

test('a challenge without an answer within five minutes is declined', async () => {
  const { row, browser, url } = await pay(await newLink(), buildTestCard('challenge'))

  clock.offsetMs = 5 * 60_000 - 2_000
  await reconcileDuePayments(needs)
  expect(await read(row.id)).toMatchObject({ status: 'awaiting_authentication' })
  clock.offsetMs = 5 * 60_000 + 1
  expect(readPageText((await browser.get(url)).body)).toContain('Estamos processando')
  await reconcileDuePayments(needs)

  expect(await read(row.id)).toMatchObject({ status: 'declined', declineCode: 'threeds_failed' })
})

test('an approval on the bank’s page that comes too late does not count', async () => {
  const { row, browser } = await pay(await newLink(), buildTestCard('challenge'))

  clock.offsetMs = 5 * 60_000 + 1
  await browser.post(new URL(row.challengeUrl!).pathname, { answer: 'approve' })

  expect(await read(row.id)).toMatchObject({ status: 'declined' })
  expect(await chargeOf(row.id)).toMatchObject({ paidAt: null })
})

test('the bank knows of no other charge than its own', async () => {
  const { browser } = await pay(await newLink(), buildTestCard('challenge'))

  const page = await browser.get('/pagar/sandbox/3ds/sbx_019a0000-0000-7000-8000-000000000000')
  const post = await browser.post('/pagar/sandbox/3ds/sbx_no-id', { answer: 'approve' })

  expect([page.statusCode, post.statusCode]).toEqual([404, 404])
})

test('who knows a transaction’s id finds neither its bank’s page nor its payment’s', async () => {
  const { row, browser } = await pay(await newLink(), buildTestCard('challenge'))
  const bank = new URL(row.challengeUrl!).pathname
  const [guessable, token] = bank.split('.')
  const guesses = [guessable!, `${guessable}.`, `${guessable}.${'0'.repeat(token!.length)}`]

  const answers = [
    ...(await Promise.all(guesses.map((guess) => browser.get(guess)))),
    ...(await Promise.all(guesses.map((guess) => browser.post(guess, { answer: 'approve' })))),
  ]

  expect(guessable).toContain(row.id)
  expect(token).toMatch(/^[0-9A-Za-z]{24}$/)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 404))
  for (const { body } of answers) expect(body).not.toContain(row.token)
  expect(await read(row.id)).toMatchObject({ status: 'awaiting_authentication' })
})
