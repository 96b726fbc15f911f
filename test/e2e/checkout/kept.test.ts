// What a payer has typed, or is looking at, is not taken away.
import { expect, test } from 'vitest'
import { fillPayer, getPayButton, openBrowserMerchant } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

test('without a network nothing is sent, and what was typed stays', async () => {
  const link = await testMerchant.newLink()
  const { context, page } = await testMerchant.newPage()
  await page.goto(link.url)
  await fillPayer(page)

  await context.setOffline(true)
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Sem conexão: nada foi enviado.' }).waitFor()
  await context.setOffline(false)
  expect(await page.getByLabel('E-mail').inputValue()).toBe('maria@example.com')
  await getPayButton(page).click()

  await page.getByLabel('Código Pix copia e cola').waitFor()
})

test('a form that was kept in memory and never sent is as it was left', async () => {
  const link = await testMerchant.newLink()
  const { page } = await testMerchant.newPage()
  await page.goto(link.url)
  await fillPayer(page)

  // What a browser tells that kept the page; the tests' own has no such memory.
  const kept = () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await page.evaluate(kept)
  await page.waitForLoadState('networkidle')

  expect(await page.getByLabel('Nome completo').inputValue()).toBe('Maria Silva')
})

test('who prints the receipt or shares it is not taken away from it', async () => {
  const link = await testMerchant.newLink({ redirectUrl: 'http://localhost:9/obrigado' })
  const { page } = await testMerchant.newPage()
  const countdown = page.locator('[data-return-seconds]')
  await page.addInitScript(() => Object.assign(window, { print: () => {} }))

  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByRole('button', { name: 'Simular pagamento' }).click()
  await countdown.waitFor()
  await page.getByRole('button', { name: 'Imprimir' }).click()

  expect(await countdown.isVisible()).toBe(false)
  expect(await page.locator('.actions a[href*="wa.me"][data-stay]').count()).toBe(1)
})
