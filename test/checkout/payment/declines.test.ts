// What a payer reads of a declined card, and the step that the page offers: it must be one that works.
import { afterEach, expect, test } from 'vitest'
import { buildDeclineViewModel } from '../../../src/checkout/payment/declines.ts'
import { CHECKOUT_TEXTS } from '../../../src/checkout/texts/languages.ts'
import { DECLINE_CODES } from '../../../src/database/enums.ts'
import type { TransactionRow } from '../../../src/transactions/transaction.ts'
import {
  AGAIN,
  buildTestCard,
  openCheckout,
  readFormFields,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock } = testApp
const { newLink, pay, editLink, editCompany } = openCheckout(testApp)

const STEPS = /Corrigir código|Corrigir cartão|Mudar parcelas|Tentar novamente|Usar outro cartão/g
const DAY_MS = 24 * 3_600_000

afterEach(() => {
  clock.offsetMs = 0
})

/** The steps with a card that a declined payment's page offers. */
async function readSteps({ browser, url }: Awaited<ReturnType<typeof pay>>) {
  return readPageText((await browser.get(url)).body).match(STEPS)
}

const CARD = { cardBrand: 'visa', cardLast4: '4242' }

test.each(Object.entries(CHECKOUT_TEXTS))(
  'in %s no declined card sends anybody to Pix where a link takes cards alone',
  (_language, t) => {
    const input = { t, isCardOpen: true, isPixOpen: false, formUrl: '/form' }
    const pages = DECLINE_CODES.map((declineCode) =>
      buildDeclineViewModel({ ...CARD, declineCode } as TransactionRow, input),
    )

    expect(JSON.stringify(pages)).not.toMatch(/Pix/)
  },
)

test.each([
  ['links take cards alone', { methods: ['credit_card'] }, { pixProvider: 'sandbox' }],
  ['no provider takes Pix', {}, { pixProvider: null }],
] as const)('nor is who tries such a card again, where %s', async (_where, fields, changes) => {
  const link = await newLink(fields)
  await editCompany(link.companyId, changes)
  await pay(link, buildTestCard('expired', { cardLast4: '0069' }))

  const { response } = await pay(link, buildTestCard('ok', { cardLast4: '0069' }))

  expect(response.statusCode).toBe(409)
  const page = readPageText(response.body)
  expect(page).toContain('Não é possível tentar este cartão de novo. Use outro cartão.')
  expect(page).not.toMatch(/pague com Pix/)
})

test.each([
  ['is paused', { status: 'inactive' as const }],
  ['takes Pix alone by now', { methods: ['pix' as const] }],
])('a payer is not told to type a card again for a link that %s', async (_what, fields) => {
  const link = await newLink()
  const paid = await pay(link, buildTestCard('cvv'))
  await editLink(link.id, fields)

  const read = (lang: string) => paid.browser.get(`${paid.url}?lang=${lang}`)
  const [pt, en, es] = (await Promise.all(['pt', 'en', 'es'].map(read))).map(({ body }) =>
    readPageText(body),
  )

  expect(await readSteps(paid)).toBeNull()
  expect(pt).toContain(`Nada foi cobrado no cartão Visa •••• ${paid.row.cardLast4}.`)
  expect(pt).not.toContain('de novo')
  expect(en).not.toContain('again')
  expect(es).not.toContain('de nuevo')
})

test('a wrong security code is put right on the same card, with all the rest of the form kept', async () => {
  const link = await newLink()
  const declined = await pay(link, buildTestCard('cvv'))
  const page = await declined.browser.get(declined.url)
  const [, next = ''] =
    /href="([^"]+)"[^>]*>[^<]*<svg(?:(?!<\/a>).)*Corrigir código/s.exec(page.body) ?? []

  const form = await declined.browser.get(next.replaceAll('&amp;', '&').replace(/#.*/, ''))
  const corrected = await declined.browser.pay(
    link,
    buildTestCard('ok', { cardLast4: declined.row.cardLast4 }),
    AGAIN,
  )

  expect(next).toContain('#card-number')
  expect(readFormFields(form.body)).toMatchObject({
    name: 'Maria da Silva',
    email: 'maria@exemplo.com.br',
    method: 'credit_card',
    cardToken: '',
  })
  expect(corrected.statusCode).toBe(303)
  expect(readPageText((await declined.browser.get(corrected.headers.location!)).body)).toContain(
    'Pagamento aprovado',
  )
})

test('the third wrong code of a card is the last for a day, and its page says so', async () => {
  const link = await newLink()
  const wrong = () => pay(link, buildTestCard('cvv', { cardLast4: '0128' }))
  const right = () => pay(link, buildTestCard('ok', { cardLast4: '0128' }))
  const first = await wrong()
  const second = await wrong()
  const beforeTheThird = await readSteps(second)
  const third = await wrong()
  const refused = await right()
  const elsewhere = await pay(await newLink(), buildTestCard('ok', { cardLast4: '0128' }))
  clock.offsetMs = DAY_MS + 1_000
  const nextDay = await right()

  expect(first.row).toMatchObject({ status: 'declined', declineCode: 'invalid_cvv' })
  expect(beforeTheThird).toEqual(['Corrigir código'])
  expect(third.row).toMatchObject({ status: 'declined' })
  clock.offsetMs = 0
  expect(await readSteps(third)).toEqual(['Usar outro cartão'])
  expect(refused.response.statusCode).toBe(409)
  expect(elsewhere.row).toMatchObject({ status: 'approved' })
  expect(nextDay.row).toMatchObject({ status: 'approved' })
})

test('on a link that takes no more payments a declined card leads to the company', async () => {
  const link = await newLink()
  const paid = await pay(link, buildTestCard('generic'))
  await editLink(link.id, { status: 'archived' })

  const page = readPageText((await paid.browser.get(paid.url)).body)

  expect(page).toContain('Este link não aceita mais pagamentos.')
  expect(page.match(STEPS)).toBeNull()
  expect(page).not.toContain('Pagar com Pix')
})
