// A payer's network that goes, comes back, answers nothing, or is there although the browser says that it is not.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fillPayer, findPageBarriers, getPayButton, openBrowserMerchant } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

async function openPix(page: Page) {
  const link = await testMerchant.newLink()
  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByLabel('Código Pix copia e cola').waitFor()
}

test('a phone that is offline says so where the payment stands, and takes it back', async () => {
  const { page, context } = await testMerchant.newPage({ viewport: { width: 320, height: 640 } })
  await openPix(page)
  const offline = page.getByRole('main').getByText('Sem conexão.')
  const waiting = page.getByText('Aguardando o pagamento.')
  const spoken = page.getByRole('status')

  expect(await offline.isVisible()).toBe(false)
  await context.setOffline(true)
  await offline.waitFor()
  expect(await spoken.textContent()).toContain('Assim que ela voltar, verificamos o pagamento.')
  expect(await waiting.isVisible()).toBe(false)
  expect(await findPageBarriers(page)).toEqual([])

  await context.setOffline(false)
  await waiting.waitFor()
  expect(await offline.isVisible()).toBe(false)
  expect(await spoken.textContent()).toBe('')
})

test('a browser that is wrong about its network is not believed: the form is sent, the code waits for its payment', async () => {
  const { page } = await testMerchant.newPage()
  await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { value: false }))
  await openPix(page)
  const asked = page.waitForResponse('**/status')

  await page.evaluate(() => dispatchEvent(new Event('offline')))
  await asked

  expect(await page.getByRole('main').getByText('Sem conexão.').isVisible()).toBe(false)
})

test('without a network nothing is sent, what was typed stays, and it is said', async () => {
  const link = await testMerchant.newLink()
  const { page, context } = await testMerchant.newPage()
  await page.goto(link.url)
  await fillPayer(page)

  await context.setOffline(true)
  await getPayButton(page).click()
  await page.getByText('Sem conexão: nada foi enviado.').waitFor()
  const kept = await page.getByLabel('Nome completo').inputValue()
  await context.setOffline(false)
  await getPayButton(page).click()
  await page.getByLabel('Código Pix copia e cola').waitFor()

  expect(kept).toBe('Maria Silva')
})

test('who goes back from a page of a proxy finds all that was typed', async () => {
  const link = await testMerchant.newLink({
    customFields: [{ label: 'Nome do aluno', type: 'text', required: true }],
  })
  const { page } = await testMerchant.newPage()
  await page.goto(link.url)
  await fillPayer(page)
  await page.getByLabel('Nome do aluno').fill('Pedro')

  const answer = { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }
  await page.route('**/payments', (route) => route.fulfill(answer), { times: 1 })
  await getPayButton(page).click()
  await page.getByText('502 Bad Gateway').waitFor()
  await page.goBack()
  const kept = await Promise.all(
    ['Nome completo', 'CPF ou CNPJ', 'Nome do aluno'].map((label) =>
      page.getByLabel(label).inputValue(),
    ),
  )

  expect(kept).toEqual(['Maria Silva', '529.982.247-25', 'Pedro'])
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

test('a network without answers is told from the second answer that is lost, and a server that fails is not', async () => {
  const { page } = await testMerchant.newPage()
  await page.clock.install()
  await openPix(page)
  const offline = page.getByRole('main').getByText('Sem conexão.')
  let asked = 0
  let answer: 'lost' | 'failed' | 'as it is' = 'failed'
  await page.route('**/status', async (route) => {
    asked++
    if (answer === 'lost') return route.abort('timedout')
    return answer === 'failed' ? route.fulfill({ status: 503 }) : route.continue()
  })
  /** Seconds go by until the page has asked so often more. */
  const askMore = async (times: number) => {
    const enough = asked + times
    await expect
      .poll(() => page.clock.runFor(1_000).then(() => asked))
      .toBeGreaterThanOrEqual(enough)
  }

  await askMore(3)
  expect(await offline.isVisible()).toBe(false)
  answer = 'lost'
  await askMore(2)
  await offline.waitFor()
  answer = 'as it is'
  await askMore(1)
  await offline.waitFor({ state: 'hidden' })
})
