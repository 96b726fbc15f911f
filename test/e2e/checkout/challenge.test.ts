// A bank that asks the payer something only after a while, on a page that was already waiting for it.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { sandboxCharges, transactions } from '../../../src/database/tables.ts'
import { openBrowserMerchant, payByCard } from '../merchant.ts'

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
