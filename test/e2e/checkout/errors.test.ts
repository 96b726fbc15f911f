import { expect, test } from 'vitest'
import { getPayButton, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

test('what is wrong is summed up on top, bound to its field, and what was typed is kept', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage({ ...PHONE, javaScriptEnabled: false })

  await page.goto(link.url)
  await page.getByLabel('Nome completo').fill('Maria Silva')
  await page.getByLabel('CPF ou CNPJ').fill('111.111.111-11')
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Confira 2 campos' }).waitFor()

  expect(await page.title()).toMatch(/^Erro: /)
  const taxId = page.getByLabel('CPF ou CNPJ')
  expect(await taxId.getAttribute('aria-invalid')).toBe('true')
  const described = await taxId.getAttribute('aria-describedby')
  expect(await page.locator(`#${described}`).textContent()).toContain('CPF ou CNPJ válido')
  expect(await page.getByLabel('Nome completo').inputValue()).toBe('Maria Silva')
  expect(wrong).toEqual([])
})

test('with JavaScript the same is said before anything is sent, with the focus on it', async () => {
  const link = await testMerchant.newLink()
  const { page } = await testMerchant.newPage()

  await page.goto(link.url)
  await getPayButton(page).click()

  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('problems')
  await page.getByRole('link', { name: 'CPF ou CNPJ' }).click()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('taxId')
})
