// A company's colour and logos: what an owner sees of the checkout while choosing them, and what payers get.
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { findPageBarriers, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

/** The server draws it anew. */
const SOON = { timeout: 15_000 }

const LOGO = await drawLogo('#123a6b')
const LOGO_FOR_DARK = await drawLogo('#ffffff')

/** Wide, on nothing. */
async function drawLogo(ink: string) {
  const shape = `<rect y="10" width="60" height="60" rx="14" fill="${ink}"/><g fill="${ink}">
    <rect x="80" y="18" width="200" height="18"/><rect x="80" y="46" width="140" height="18"/></g>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80">${shape}</svg>`
  const buffer = await sharp(Buffer.from(svg)).png().toBuffer()
  return { name: 'logo.png', mimeType: 'image/png', buffer }
}

test('the preview follows what is typed and chosen, in both schemes, and payers get what it showed', async () => {
  const { page, wrong, at } = await testMerchant.signIn()
  await page.goto(at('/painel/ajustes/marca'))
  await previewOf(page, 'Tema escuro').getByText('Pagar R$ 199,00 com Pix').waitFor()

  await page.getByLabel('Cor da marca (opcional)').fill('#B4531F')
  await expect.poll(() => fillsOf(page), SOON).toEqual(['rgb(180, 83, 31)', 'rgb(180, 83, 31)'])
  await page.getByLabel('Logotipo', { exact: true }).setInputFiles(LOGO)
  await expect
    .poll(() => logosOf(page), SOON)
    .toEqual([
      ['data', true],
      ['data', true],
    ])
  await page.getByLabel('Logotipo para fundo escuro').setInputFiles(LOGO_FOR_DARK)
  await expect.poll(async () => new Set(await sourcesOf(page)).size, SOON).toBe(2)

  expect(await previewOf(page, 'Tema claro').locator('.merchant-name').count()).toBe(0)
  expect(await findPageBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('Ajustes salvos').waitFor()
  expect(await logosOf(page)).toEqual([
    ['http', true],
    ['http', true],
  ])
  expect(wrong).toEqual([])

  const link = await testMerchant.newLink()
  for (const colorScheme of ['light', 'dark'] as const) {
    const payer = await testMerchant.newPage({ ...PHONE, colorScheme })
    await payer.page.goto(link.url)
    const shown = payer.page.getByRole('img', { name: 'Escola Vila Nova' })
    expect(await shown.count()).toBe(1)
    expect((await shown.getAttribute('src'))?.includes('/escuro/')).toBe(colorScheme === 'dark')
    await expect.poll(() => isLoaded(shown)).toBe(true)
    expect(await findPageBarriers(payer.page)).toEqual([])
    expect(payer.wrong).toEqual([])
  }
})

test('without JavaScript a button shows the same preview', async () => {
  const { page, wrong, at } = await testMerchant.signIn({ javaScriptEnabled: false })
  await page.goto(at('/painel/ajustes/marca'))

  await page.getByLabel('Cor da marca (opcional)').fill('#FFD400')
  await page.getByLabel('Logotipo', { exact: true }).setInputFiles(LOGO)
  await page.getByRole('button', { name: 'Atualizar prévia' }).click()
  await page.waitForLoadState()

  const frames = await page
    .locator('iframe')
    .evaluateAll((all) => all.map((one) => one.getAttribute('srcdoc')))
  expect(frames).toHaveLength(2)
  for (const frame of frames) expect(frame).toContain('cor=%23ffd400')
  expect(frames[0]).toContain('src="data:image/webp;base64,')
  expect(wrong).toEqual([])
})

function previewOf(page: Page, title: string) {
  return page.frameLocator(`iframe[title="${title}"]`)
}

const TITLES = ['Tema claro', 'Tema escuro']

function fillsOf(page: Page) {
  const buttons = TITLES.map((title) => previewOf(page, title).locator('.button-pay'))
  return Promise.all(
    buttons.map((button) => button.evaluate((one) => getComputedStyle(one).backgroundColor)),
  )
}

function sourcesOf(page: Page) {
  const logos = TITLES.map((title) => previewOf(page, title).locator('.merchant-logo'))
  return Promise.all(logos.map((logo) => logo.getAttribute('src', { timeout: 5_000 })))
}

/** What the addresses begin with, and whether the images are there. */
async function logosOf(page: Page) {
  const logos = TITLES.map((title) => previewOf(page, title).locator('.merchant-logo'))
  const sources = await sourcesOf(page)
  return Promise.all(
    logos.map(async (logo, at) => [sources[at]?.slice(0, 4), await isLoaded(logo)]),
  )
}

function isLoaded(image: ReturnType<Page['locator']>) {
  return image.evaluate((one) => (one as HTMLImageElement).naturalWidth > 0)
}
