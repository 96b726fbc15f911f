import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { eq, isNotNull } from '../../../src/database/drizzle.ts'
import { companies, paymentLinks, transactions } from '../../../src/database/tables.ts'
import {
  fillCard,
  fillPayer,
  getPayButton,
  openBrowserMerchant,
  PHONE,
  payByCard,
} from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

async function paymentsOf(linkId: string) {
  return testMerchant.db.select().from(transactions).where(eq(transactions.paymentLinkId, linkId))
}

test('a payer without JavaScript pays by Pix from the link to the receipt', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage({ ...PHONE, javaScriptEnabled: false })

  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  const code = await page.getByLabel('Código Pix copia e cola').inputValue()
  const refreshes = await page.locator('meta[http-equiv=refresh]').count()
  const copies = await page.getByRole('button', { name: 'Copiar código Pix' }).isVisible()
  const simulated = await fetch(`${page.url()}/simulate`, { method: 'POST' })
  await page.getByRole('link', { name: 'Já paguei: verificar' }).click()

  expect(code).toMatch(/^000201.*6304[0-9A-F]{4}$/)
  expect([refreshes, copies, simulated.status]).toEqual([0, false, 200])
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()
  expect(wrong).toEqual([])
})

test('without JavaScript the page says so where a card would be typed, and offers Pix', async () => {
  const link = await testMerchant.newLink()
  const { page } = await testMerchant.newPage({ ...PHONE, javaScriptEnabled: false })

  await page.goto(link.url)
  await page.getByText('Cartão de crédito').click()

  const notice = page.locator('#card noscript p')
  expect(await notice.isVisible()).toBe(true)
  expect(await notice.textContent()).toContain('escolha Pix acima')
  expect(await page.getByLabel('Número do cartão').isVisible()).toBe(false)
})

test.each([true, false])(
  'a card is paid at the acquirer’s page, and the way back leads no payer in a circle (with JavaScript: %s)',
  async (javaScriptEnabled) => {
    const { id, url } = await testMerchant.newLink()
    const choose = (cardProvider: 'sandbox' | 'sandbox-page') =>
      testMerchant.db.update(companies).set({ cardProvider }).where(isNotNull(companies.testOf))
    await choose('sandbox-page')
    onTestFinished(async () => void (await choose('sandbox')))
    const { page, wrong } = await testMerchant.newPage({ ...PHONE, javaScriptEnabled })

    await page.goto(url)
    await fillPayer(page)
    await page.getByText('Cartão de crédito').first().click()
    await page.locator('.button-pay').click()
    await page.waitForURL('**/sandbox/3ds/**')
    await page.goBack()
    await page.getByRole('link', { name: 'Continuar para o pagamento' }).click()
    await page.getByRole('link', { name: 'Voltar à loja sem pagar' }).click()
    await page.getByRole('heading', { name: 'Continue em Adquirente de teste' }).waitFor()
    await page.getByRole('link', { name: 'Continuar para o pagamento' }).click()
    await page.getByRole('button', { name: 'Pagar: aprovado' }).click()

    await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()
    expect(await paymentsOf(id)).toMatchObject([{ status: 'approved', cardLast4: '4242' }])
    expect(wrong).toEqual([])
  },
)

test('a Pix code is copied, and its page becomes the receipt by itself', async () => {
  const link = await testMerchant.newLink()
  const { page, context, wrong } = await testMerchant.newPage()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])

  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByRole('button', { name: 'Copiar código Pix' }).click()
  await page.getByText('Código copiado').waitFor()
  const [copied, shown, address] = await Promise.all([
    page.evaluate(() => navigator.clipboard.readText()),
    page.getByLabel('Código Pix copia e cola').inputValue(),
    page.url(),
  ])
  await fetch(`${page.url()}/simulate`, { method: 'POST' })
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(copied).toBe(shown)
  expect(page.url()).toBe(address)
  expect(await page.title()).toContain('Pagamento aprovado')
  expect(await page.getByRole('status').textContent()).toMatch(/aprovado/i)
  expect(wrong).toEqual([])
})

test('a card is paid in installments as quoted, and its number never leaves the browser', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage()
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))

  await page.goto(link.url)
  await fillPayer(page)
  await fillCard(page, '4242424242424242')
  await page.getByText('Ver outras').click()
  await page.getByRole('radio', { name: '3x de R$ 35,35 R$ 106,05 2,99% a.m.' }).check()
  const number = await page.getByLabel('Número do cartão').inputValue()
  const note = await page.getByText('Taxa de 2,99% a.m.').textContent()
  await page.getByRole('button', { name: 'Pagar R$ 106,05 em 3x' }).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(number).toBe('4242 4242 4242 4242')
  expect(note).toMatch(/Total a prazo R\$\s106,05; à vista R\$\s100,00/)
  expect(await page.locator('main').textContent()).toMatch(/Visa •••• 4242/)
  expect(sent.join('\n').replace(/\D/g, '')).not.toContain('4242424242424242')
  const [payment] = await paymentsOf(link.id)
  expect(payment).toMatchObject({ status: 'approved', totalCents: 10_605, installments: 3 })
  expect(wrong).toEqual([])
})

test('a number that is no test card is refused in the browser and never sent', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage()

  await page.goto(link.url)
  await payByCard(page, '4111111111111111')

  await expect
    .poll(() => page.locator('#card-number-error').textContent())
    .toContain('No modo de teste, use um cartão de teste.')
  expect(await paymentsOf(link.id)).toEqual([])
  expect(wrong).toEqual([])
})

test('the bank asks in a frame, and after its answer the same page shows the end', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage()

  await page.goto(link.url)
  await payByCard(page, '4000000000003220')
  await page.getByRole('heading', { name: 'Confirme a compra' }).waitFor()
  const address = page.url()
  await page.frameLocator('iframe').getByRole('button', { name: 'Aprovar' }).click()
  await page.getByText('Comprovante de pagamento').first().waitFor()

  expect(page.url()).toBe(address)
  expect((await paymentsOf(link.id))[0]).toMatchObject({ status: 'approved' })
  expect(wrong).toEqual([])
})

test('a declined payer reads why, keeps the form, and pays by Pix with one tap', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage()

  await page.goto(link.url)
  await payByCard(page, '4000000000009995')
  await page.getByText('Saldo ou limite insuficiente').first().waitFor()
  await page.getByRole('link', { name: /Pix/ }).click()
  const kept = await page.getByLabel('Nome completo').inputValue()
  await page.getByRole('button', { name: /com Pix$/ }).click()
  await page.getByLabel('Código Pix copia e cola').waitFor()

  expect(kept).toBe('Maria Silva')
  expect((await paymentsOf(link.id)).map(({ status }) => status).sort()).toEqual([
    'declined',
    'pending',
  ])
  expect(wrong).toEqual([])
})

test('a double click and a second tab make one payment', async () => {
  const link = await testMerchant.newLink()
  const { page, context } = await testMerchant.newPage()
  const second = await context.newPage()

  for (const tab of [page, second]) {
    await tab.goto(link.url)
    await fillPayer(tab)
  }
  await Promise.all([getPayButton(page).dblclick(), getPayButton(second).click()])
  await Promise.all(
    [page, second].map((tab) => tab.getByLabel('Código Pix copia e cola').waitFor()),
  )

  expect(page.url()).toBe(second.url())
  expect(await paymentsOf(link.id)).toHaveLength(1)
})

test('a form that stands in for a new code can be left and gone back to', async () => {
  const { db } = testMerchant
  await testMerchant.change({ pixExpirySeconds: 3 })
  const link = await testMerchant.newLink()
  const { page } = await testMerchant.newPage()
  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  const renew = page.getByRole('button', { name: 'Gerar novo código' })
  await renew.waitFor()
  await testMerchant.change({ pixExpirySeconds: 1800 })
  const change = { amountCents: 12_000, updatedAt: new Date().toISOString() }
  await db.update(paymentLinks).set(change).where(eq(paymentLinks.id, link.id))

  await renew.click()
  await page.getByText('O valor deste link mudou. Confira o novo valor e confirme.').waitFor()
  await page.getByRole('link', { name: 'Denunciar este link' }).click()
  await page.waitForURL('**/report*')
  await page.goBack()

  await getPayButton(page).waitFor()
  expect(await paymentsOf(link.id)).toHaveLength(1)
})

test('the page does not ask the server while it is hidden', async () => {
  const link = await testMerchant.newLink()
  const { page } = await testMerchant.newPage()
  const asked: string[] = []

  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByLabel('Código Pix copia e cola').waitFor()
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  page.on('request', (request) => asked.push(request.url()))
  await sleep(3_000)

  expect(asked).toEqual([])
})
