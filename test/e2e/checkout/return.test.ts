// The way back from a receipt to the company: by itself for who only watches, by a button for who reads.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fillPayer, getPayButton, openBrowserMerchant } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

/** The receipt of a Pix whose company has a page to come back to, as its payer is told of the approval. */
async function openReturningReceipt() {
  const link = await testMerchant.newLink({ redirectUrl: 'http://localhost:9/obrigado?pedido=7' })
  const { page } = await testMerchant.newPage()
  await page.clock.install()
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
])('%s keeps the payer on the receipt', async (_, act) => {
  const page = await openReturningReceipt()

  await act(page)
  await page.getByRole('main').getByText('Você volta em').waitFor({ state: 'hidden' })
  await page.clock.runFor(15_000)

  expect(page.url()).toContain('/payments/')
  expect(await page.getByRole('link', { name: 'Voltar para localhost:9' }).isVisible()).toBe(true)
})
