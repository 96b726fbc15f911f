// What becomes of a card payment, by the sandbox's scenarios.
import { afterEach, expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { buildTestCard, openCheckout, PIX, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { newLink, pay, read, chargeOf, listEventTypes } = openCheckout(testApp)

const FRICTIONLESS = {
  threeDsStatus: 'authenticated',
  threeDsEci: '05',
  threeDsFlow: 'frictionless',
}

afterEach(() => {
  clock.offsetMs = 0
})

test.each([
  ['awaiting_authentication', 'R$ 1.487,40', 'pagar de outra forma (R$ 1.234,56 com Pix)'],
  ['declined', 'R$ 1.234,56', 'Pagar com Pix: R$ 1.234,56'],
  ['canceled', 'R$ 1.234,56', 'Pagar com Pix: R$ 1.234,56'],
] as const)(
  'a card in 12x that is %s shows %s, and says what Pix costs beside it',
  async (status, shown, said) => {
    const terms = { maxInstallments: 12, interestMode: 'pass_to_customer' }
    const link = await newLink({ amountCents: 123_456, ...terms })
    const card = buildTestCard('challenge', { installments: '12' })
    const { row, url, browser } = await pay(link, card)
    await db.update(transactions).set({ status }).where(eq(transactions.id, row.id))

    const page = readPageText((await browser.get(url)).body)

    expect(row.totalCents).toBe(148_740)
    expect(page).toContain(`Total: ${shown}`)
    expect(page).toContain(said)
    expect(page.includes('1.487,40')).toBe(shown === 'R$ 1.487,40')
    expect(page).not.toMatch(/código Pix venceu/i)
  },
)

test('an approved card is charged what was quoted, once, and the company is told', async () => {
  const link = await newLink()

  const { row, browser, url } = await pay(link, buildTestCard('ok', { cardLast4: '4242' }))

  expect(row).toMatchObject({
    status: 'approved',
    amountCents: 10_000,
    totalCents: 10_000,
    installments: 1,
    cardBrand: 'visa',
    cardLast4: '4242',
    cardHolder: 'MARIA SILVA',
    testMode: true,
    checkAt: null,
    ...FRICTIONLESS,
  })
  expect(row.approvedAt).toBe((await chargeOf(row.id))!.paidAt)
  expect(await chargeOf(row.id)).toMatchObject({ status: 'approved', amountCents: 10_000 })
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
  expect(readPageText((await browser.get(url)).body)).toContain('Pagamento aprovado')
})

const [RETRY, OTHER, CODE] = ['Tentar novamente', 'Usar outro cartão', 'Corrigir código']
const STEPS = /Corrigir código|Corrigir cartão|Mudar parcelas|Tentar novamente|Usar outro cartão/g

test.each([
  ['generic', 'generic', '05', true, RETRY, 'Pagamento não autorizado. Fale com o seu banco'],
  ['funds', 'insufficient_funds', '51', true, OTHER, 'Saldo ou limite insuficiente.'],
  ['expired', 'expired_card', '54', false, OTHER, 'Cartão vencido ou validade incorreta.'],
  ['cvv', 'invalid_cvv', '63', false, CODE, 'Código de segurança incorreto.'],
  ['fraud', 'suspected_fraud', '59', true, RETRY, 'Transação não autorizada por segurança.'],
  ['threeds_failed', 'threeds_failed', null, true, RETRY, 'Não foi possível confirmar'],
  ['unavailable', 'provider_error', '91', true, RETRY, 'Serviço indisponível.'],
  ['no_such_scenario', 'invalid_card', '14', false, OTHER, 'Número de cartão inválido.'],
])(
  'a %s card is declined as %s (ABECS %s); its page says why, and offers one step and Pix',
  async (scenario, declineCode, abecsCode, retryable, step, sentence) => {
    const link = await newLink()

    const { row, browser, url } = await pay(link, buildTestCard(scenario))

    expect(row).toMatchObject({ status: 'declined', declineCode, abecsCode, retryable })
    expect(row).toMatchObject({ approvedAt: null, checkAt: null })
    expect((await chargeOf(row.id))?.status ?? 'declined').toBe('declined')
    expect(await listEventTypes(link)).toEqual(['transaction.declined'])
    const { body } = await browser.get(url)
    const page = readPageText(body)
    expect(page).toContain(sentence)
    expect(page.match(STEPS)).toEqual([step])
    expect(page).toContain(`Visa •••• ${row.cardLast4}`)
    expect(body).toMatch(/href="\/pagar\/\w+\?new=\d+&amp;method=pix"/)
  },
)

test('a provider that is down is asked three times, and nothing was charged', async () => {
  const { sandbox } = needs.providers
  let charges = 0
  needs.providers.sandbox = {
    ...sandbox,
    charge: (...request) => {
      charges++
      return sandbox.charge(...request)
    },
  }

  const { row } = await pay(await newLink(), buildTestCard('unavailable'))
  needs.providers.sandbox = sandbox

  expect(charges).toBe(3)
  expect(row).toMatchObject({ status: 'declined', providerReference: null })
  expect(await chargeOf(row.id)).toBeUndefined()
})

test('a slow card is processing until the bank has made up its mind', async () => {
  const { row, browser, url } = await pay(await newLink(), buildTestCard('slow'))
  expect(row).toMatchObject({ status: 'processing' })
  expect(readPageText((await browser.get(url)).body)).toContain('Estamos processando seu pagamento')

  clock.offsetMs = 6_000
  await reconcileDuePayments(needs)
  expect(await read(row.id)).toMatchObject({ status: 'processing' })
  clock.offsetMs = 12_000
  await reconcileDuePayments(needs)

  expect(await read(row.id)).toMatchObject({ status: 'approved', ...FRICTIONLESS })
})

test('a card that was refused for good is not sent to the bank again; another card, payer or Pix is', async () => {
  const link = await newLink()
  const cardLast4 = '0069'
  await pay(link, buildTestCard('expired', { cardLast4 }))

  const again = await pay(link, buildTestCard('ok', { cardLast4 }))
  const other = await pay(link, buildTestCard('ok', { cardLast4: '4444' }))
  const stranger = await pay(link, buildTestCard('ok', { cardLast4, taxId: '12.ABC.345/01DE-35' }))
  const pix = await pay(link, PIX)

  expect(again.response.statusCode).toBe(409)
  expect(readPageText(again.response.body)).toContain('Não é possível tentar este cartão de novo.')
  expect(other.row).toMatchObject({ status: 'approved' })
  expect(stranger.row).toMatchObject({ status: 'approved' })
  expect(pix.row).toMatchObject({ status: 'pending' })
})

test('a card that was refused for good may be tried again a day later, one that was not at once', async () => {
  const link = await newLink()
  await pay(link, buildTestCard('expired', { cardLast4: '0069' }))
  await pay(link, buildTestCard('funds', { cardLast4: '9995' }))

  const retried = await pay(link, buildTestCard('ok', { cardLast4: '9995' }))
  clock.offsetMs = 24 * 3_600_000 + 1_000
  const nextDay = await pay(link, buildTestCard('ok', { cardLast4: '0069' }))

  expect(retried.row).toMatchObject({ status: 'approved' })
  expect(nextDay.row).toMatchObject({ status: 'approved' })
})
