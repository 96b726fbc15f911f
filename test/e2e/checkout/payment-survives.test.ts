// A payment's page where nothing is as it should be: no clipboard, a wrong clock, a slow network, no mouse,
// a narrow screen, colours and motion turned off, and names of any kind.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openTrafficSession } from '../../support/processes/browser.ts'
import {
  DESKTOP,
  fillCard,
  fillPayer,
  findBarriersEverywhere,
  findPageBarriers,
  findSchemeBarriers,
  getPayButton,
  openBrowserMerchant,
  PHONE,
} from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

const WIDE = 'W'.repeat(120)
const HOUR_MS = 3_600_000

async function openPix(page: Page, fields: object = {}) {
  const link = await testMerchant.newLink(fields)
  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByLabel('Código Pix copia e cola').waitFor()
  return link
}

const getSelection = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement as HTMLInputElement
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
  })

test('without any clipboard the page never says that it copied', async () => {
  const { page, wrong } = await testMerchant.newPage()
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await openPix(page)

  await page.getByRole('button', { name: 'Copiar código Pix' }).click()
  await page.getByText('Toque e segure para copiar').first().waitFor()

  expect(await getSelection(page)).toBe(
    await page.getByLabel('Código Pix copia e cola').inputValue(),
  )
  expect(await page.getByText('Código copiado').count()).toBe(0)
  expect(await page.getByRole('status').textContent()).toContain('Toque e segure para copiar')
  expect(wrong).toEqual([])
})

test('a clipboard that never answers is not waited for longer than a second', async () => {
  const { page } = await testMerchant.newPage()
  await page.clock.install()
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => new Promise(() => {})
  })
  await openPix(page)

  await page.getByRole('button', { name: 'Copiar código Pix' }).click()
  await page.clock.runFor(1_000)
  await page.getByText('Toque e segure para copiar').first().waitFor()

  expect(await getSelection(page)).toMatch(/^000201/)
  expect(await page.getByText('Código copiado').count()).toBe(0)
})

test('without the permission for the clipboard the code is copied the old way', async () => {
  const { page } = await testMerchant.newPage()
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await openPix(page)
  await page.getByRole('button', { name: 'Copiar código Pix' }).click()
  await page.getByText('Código copiado').waitFor()

  expect(await page.getByText('Toque e segure').first().isVisible()).toBe(false)
})

test('a clock that is a day off counts down as the server’s', async () => {
  const { page } = await testMerchant.newPage()
  await page.clock.install({ time: Date.now() - 24 * HOUR_MS })
  await openPix(page)

  expect(await page.getByRole('timer').textContent()).toMatch(/^(30:00|29:\d\d)$/)
})

test.each([
  [20, 'Faltam 30 segundos para pagar.'],
  [45, 'Falta 1 minuto para pagar.'],
])(
  'a phone that wakes up with %i seconds left tells how many, not how many there were',
  async (left, told) => {
    const { page } = await testMerchant.newPage()
    await page.clock.install()
    await openPix(page)

    await page.clock.fastForward((30 * 60 - left) * 1_000)

    await expect.poll(() => page.getByRole('status').textContent()).toBe(told)
  },
)

test('by the keyboard alone a declined code is put right and paid', async () => {
  const { page, wrong } = await testMerchant.newPage(DESKTOP)
  const link = await testMerchant.newLink()
  await page.goto(link.url)
  await fillPayer(page)
  await fillCard(page, '4000000000000127')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pagamento não aprovado' }).waitFor()

  await pressUntil(page, 'Corrigir código')
  await page.keyboard.press('Enter')
  await page.getByLabel('Nome completo').waitFor()
  const kept = await page.getByLabel('Nome completo').inputValue()
  const focused = await page.evaluate(() => document.activeElement?.id)

  expect(kept).toBe('Maria Silva')
  expect(focused).toBe('card-number')
  expect(wrong).toEqual([])
})

/** Walks by Tab to the link or button of that name; what is focused must be seen. */
async function pressUntil(page: Page, name: string) {
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('Tab')
    const seen = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement
      return { name: focused.textContent.trim(), outline: getComputedStyle(focused).outlineStyle }
    })
    if (seen.name !== name) continue
    expect(seen.outline).not.toBe('none')
    return
  }
  throw new Error(`Tab never reaches "${name}"`)
}

test('on a slow 3G the code is there within seconds of the answer, before any script', async () => {
  const { page, context } = await testMerchant.newPage({ ...PHONE, javaScriptEnabled: true })
  await openPix(page)
  const address = page.url()
  const session = await openTrafficSession(context, page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })

  const begun = Date.now()
  await page.goto(address, { waitUntil: 'commit' })
  await page.getByLabel('Código Pix copia e cola').waitFor()

  expect(Date.now() - begun).toBeLessThan(8_000)
})

test('with colours forced and motion reduced the code can be scanned and nothing moves', async () => {
  const { page } = await testMerchant.newPage({
    ...PHONE,
    forcedColors: 'active',
    reducedMotion: 'reduce',
    colorScheme: 'dark',
  })
  await openPix(page)

  const seen = await page.evaluate(() => ({
    ground: getComputedStyle(document.querySelector('.qr')!).backgroundColor,
    pulse: getComputedStyle(document.querySelector('.pulse')!).animationName,
  }))

  expect(seen).toEqual({ ground: 'rgb(255, 255, 255)', pulse: 'none' })
  // The colours are the payer's own then, which axe cannot know.
  const barriers = await findPageBarriers(page)
  expect(barriers.filter((line) => !line.startsWith('color-contrast'))).toEqual([])
})

test.each([WIDE, 'شركة النور للتجارة 🧁 👨‍👩‍👧‍👦'])(
  'a link called "%s" fits its code and its receipt, in light and dark, narrow and wide',
  async (title) => {
    const found = await findBarriersEverywhere(testMerchant.newPage, {
      'the receipt': async ({ page }) => {
        await openPix(page, { title, successMessage: title })
        expect(await findSchemeBarriers(page)).toEqual([])
        await page.getByRole('button', { name: 'Simular pagamento' }).click()
        await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()
      },
    })

    expect(found).toEqual([])
  },
)

test('the page of a Pix speaks the language that is chosen, and keeps still on the narrowest phone', async () => {
  const { page, wrong } = await testMerchant.newPage({ viewport: { width: 320, height: 640 } })
  await openPix(page, { amountCents: 20_000_000 })
  await page.getByRole('link', { name: 'Español' }).click()
  await page.getByRole('heading', { name: 'Paga con Pix' }).waitFor()
  const counting = await page.locator('.pix').boundingBox()
  await page.locator('.countdown').evaluate((countdown) => countdown.replaceChildren())
  const before = await page.locator('.pix').boundingBox()
  await page.getByRole('button', { name: 'Simular el pago' }).click()
  const amount = page.locator('.receipt .amount')
  await amount.waitFor()

  expect(before!.y).toBe(counting!.y)
  expect((await amount.boundingBox())!.height).toBeLessThan(48)
  expect(wrong).toEqual([])
})

test('the receipt is printed without what cannot be pressed on paper', async () => {
  const { page } = await testMerchant.newPage(DESKTOP)
  await openPix(page, { successMessage: 'Até sábado!' })
  await page.getByRole('button', { name: 'Simular pagamento' }).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })

  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.getByText('Enviar por WhatsApp').isVisible()).toBe(false)
  expect(await page.getByText('Até sábado!').isVisible()).toBe(true)
  expect(await page.getByText('R$ 100,00').first().isVisible()).toBe(true)
  expect(ground).toBe('rgb(255, 255, 255)')
  expect((await page.pdf({ format: 'A4' })).toString('latin1')).toContain('/Count 1')
})
