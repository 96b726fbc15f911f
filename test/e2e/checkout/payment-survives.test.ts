// A payment's page where nothing is as it should be: no clipboard, a wrong clock, no mouse, a narrow screen, colours
// and motion turned off, and names of any kind.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  DESKTOP,
  fillCard,
  fillPayer,
  findBarriersEverywhere,
  findPageBarriers,
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

test('where the clipboard refuses the code is copied the old way; where nothing copies, it is selected and the page says so', async () => {
  const { page, wrong } = await testMerchant.newPage()
  const copy = page.getByRole('button', { name: 'Copiar código Pix' })
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await openPix(page)

  await copy.click()
  await page.getByText('Código copiado').waitFor()
  expect(await page.getByText('Toque e segure').first().isVisible()).toBe(false)
  await copy.waitFor()
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await copy.click()
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

test('a clock that is a day off counts down as the server’s', async () => {
  const { page } = await testMerchant.newPage()
  await page.clock.install({ time: Date.now() - 24 * HOUR_MS })
  await openPix(page)

  expect(await page.getByRole('timer').textContent()).toMatch(/^(30:00|29:\d\d)$/)
})

test('a phone that wakes up with 20 seconds left says so, not how many there were', async () => {
  const { page } = await testMerchant.newPage()
  await page.clock.install()
  await openPix(page)

  await page.clock.fastForward((30 * 60 - 20) * 1_000)

  await expect
    .poll(() => page.getByRole('status').textContent())
    .toBe('Faltam 30 segundos para pagar.')
})

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

test('the longest title, of letters from right to left, fits its code and its receipt', async () => {
  const title = `شركة النور 🧁 👨‍👩‍👧‍👦 ${WIDE.slice(0, 100)}`
  const found = await findBarriersEverywhere(testMerchant.newPage, {
    'the code': ({ page }) => openPix(page, { title, successMessage: title }),
    'the receipt': async ({ page }) => {
      await page.getByRole('button', { name: 'Simular pagamento' }).click()
      await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()
    },
  })

  expect(found).toEqual([])
})
