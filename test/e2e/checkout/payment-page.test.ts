// A payment's page: what the bank asks only after a while, the receipt, and the way back from it to the company.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { sandboxCharges, transactions } from '../../../src/database/tables.ts'
import { fillPayer, getPayButton, openBrowserMerchant, payByCard } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

test('a page that waited shows what the bank asks as soon as it does, and then the receipt', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage()
  await page.goto(link.url)
  await payByCard(page, '4000000000003220')
  await page.frameLocator('iframe').getByRole('button', { name: 'Aprovar' }).waitFor()
  await setBank('processing')
  await page.reload()
  await page.getByRole('heading', { name: /processando/i }).waitFor()

  await setBank('challenge')
  await page.frameLocator('iframe').getByRole('button', { name: 'Aprovar' }).click()

  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()
  expect(wrong).toEqual([])

  async function setBank(status: 'processing' | 'challenge') {
    await testMerchant.db.update(sandboxCharges).set({ status })
    await testMerchant.db
      .update(transactions)
      .set({ status: status === 'challenge' ? 'awaiting_authentication' : status })
      .where(eq(transactions.paymentLinkId, link.id))
  }
})

test('who turned to Pix when their bank approved after all sees the receipt, and is led back to the company', async () => {
  const link = await testMerchant.newLink({ redirectUrl: 'http://localhost:9/obrigado' })
  const { page, context } = await testMerchant.newPage()
  await page.goto(link.url)
  await payByCard(page, '4000000000003220')
  const bank = await page.locator('iframe').getAttribute('src')
  await page.getByRole('link', { name: 'Não consigo confirmar' }).click()
  await page.locator('#method').check({ force: true })
  const app = await context.newPage()
  await app.goto(new URL(bank!, link.url).href)
  await app.getByRole('button', { name: 'Aprovar' }).click()
  await app.getByText('Pronto').waitFor()

  await page.bringToFront()
  await page.locator('.button-pay').click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(await page.getByRole('main').getByText('Você volta em').count()).toBe(1)
})

/** The receipt of a Pix of a company with a page to come back to, as its payer is told of the approval. */
async function openReturningReceipt() {
  const link = await testMerchant.newLink({ redirectUrl: 'http://localhost:9/obrigado?pedido=7' })
  const { page } = await testMerchant.newPage()
  await page.clock.install()
  await page.addInitScript(() => {
    globalThis.print = () => void Object.assign(globalThis, { isPrinted: true })
  })
  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByRole('button', { name: 'Simular pagamento' }).click()
  await page.getByRole('main').getByText('Você volta em 10 segundos.').waitFor()
  return page
}

test('the receipt leads back to the company after ten seconds, which it says aloud, signed', async () => {
  const page = await openReturningReceipt()
  const back = page.waitForRequest(/localhost:9/, { timeout: 20_000 })

  const said = await page.getByRole('status').textContent()
  await page.clock.runFor(9_000)
  const after9 = page.url()
  await page.clock.runFor(2_000)
  const { searchParams } = new URL((await back).url())

  expect(said?.replace(/\s+/g, ' ')).toContain('Você volta em 10 segundos.')
  expect(after9).toContain('/payments/')

  expect([...searchParams.keys()]).toEqual([
    'pedido',
    'transactionId',
    'slug',
    'status',
    'testMode',
    'ts',
    'sig',
  ])
  expect(searchParams.get('status')).toBe('approved')
})

test.each([
  ['a key', (page: Page) => page.keyboard.press('Shift')],
  ['a scroll', (page: Page) => page.mouse.wheel(0, 120)],
  ['a focus', (page: Page) => page.getByRole('link', { name: 'Voltar para' }).focus()],
])('%s keeps the payer on the receipt, which can be printed then', async (_, act) => {
  const page = await openReturningReceipt()

  await act(page)
  await page.getByRole('main').getByText('Você volta em').waitFor({ state: 'hidden' })
  await page.clock.runFor(15_000)
  await page.getByRole('button', { name: 'Imprimir' }).click()

  expect(page.url()).toContain('/payments/')
  expect(await page.evaluate(() => Object(globalThis).isPrinted)).toBe(true)
  expect(await page.getByRole('link', { name: 'Voltar para localhost:9' }).isVisible()).toBe(true)
})
