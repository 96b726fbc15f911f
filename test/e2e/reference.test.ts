// The reference in a browser: searched, tried and read in any of our languages, and nothing of it leaves us.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { DESKTOP, openBrowserMerchant, PHONE } from './merchant.ts'

const testMerchant = await openBrowserMerchant()

async function open(options: BrowserContextOptions = DESKTOP, place = '') {
  const { url } = await testMerchant.newLink()
  const tab = await testMerchant.newPage(options)
  await tab.page.goto(`${new URL(url).origin}/api/docs/referencia${place}`)
  await tab.page.getByText('Corpos e respostas são JSON.').waitFor()
  return tab
}

const CREATION = '#tag/payment-links/createPaymentLink'

function findCreation(page: Page) {
  return page
    .locator('section', { has: page.getByRole('heading', { name: 'Criar um link' }) })
    .last()
}

test('on a phone in dark it asks no other server, breaks no policy and fits', async () => {
  const { page, wrong } = await open({ ...PHONE, colorScheme: 'dark' }, CREATION)

  await findCreation(page).waitFor()
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

  expect(wrong).toEqual([])
  // Of no origin, so that its library reads nothing of the dashboard's.
  expect(await page.evaluate(() => self.origin)).toBe('null')
  expect(overflow).toBe(0)
  expect(ground).toBe('rgb(15, 18, 22)')
  expect(
    await page
      .getByText(/Scalar/)
      .filter({ visible: true })
      .count(),
  ).toBe(0)
})

test('a word finds an operation, written in eight languages, and a key of the test environment makes a link', async () => {
  const { key } = await issueApiKey(testMerchant.db, testMerchant.company.id, 'Referência')
  const { page, wrong } = await open()
  const call = findCreation(page)

  await page.getByText('Buscar').first().click()
  await page.getByLabel('Digite o termo de busca').fill('criar um link')
  await page.getByRole('option', { name: /Criar um link/ }).click()
  await page.waitForURL(/createPaymentLink/)
  await call.getByRole('button', { name: /Shell Curl/ }).click()
  const languages = await page.getByRole('listbox').getByRole('group').allInnerTexts()
  await page.getByRole('option', { name: 'Requests' }).click()
  await call.getByText('requests.post(').waitFor()
  await page.getByPlaceholder('Token').first().fill(key)
  await call.getByRole('button', { name: /Testar Requisição/ }).click()
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/payment-links')),
    page
      .getByRole('dialog')
      .getByRole('button', { name: /Enviar requisição post/ })
      .first()
      .click(),
  ])

  expect(languages.map((text) => text.split('\n')[0]).toSorted()).toEqual(
    ['C#', 'Go', 'Java', 'Node.js', 'PHP', 'Python', 'Ruby', 'Shell'].toSorted(),
  )
  expect(answer.status()).toBe(201)
  expect(await answer.json()).toMatchObject({ title: 'Bolo de cenoura', testMode: true })
  expect(wrong).toEqual([])
})
