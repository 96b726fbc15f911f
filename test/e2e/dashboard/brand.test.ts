// A company's colour and logo: chosen by an owner, seen by payers.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { findPageBarriers, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

/** Wide, on nothing. */
async function drawLogo(ink: string) {
  const shape = `<rect y="10" width="60" height="60" rx="14" fill="${ink}"/><g fill="${ink}">
    <rect x="80" y="18" width="200" height="18"/><rect x="80" y="46" width="140" height="18"/></g>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80">${shape}</svg>`
  const buffer = await sharp(Buffer.from(svg)).png().toBuffer()
  return { name: 'logo.png', mimeType: 'image/png', buffer }
}

test('payers get the colour and the logo that were saved, in both schemes', async () => {
  const { page, wrong, at } = await testMerchant.signIn()
  await page.goto(at('/painel/ajustes/marca'))

  await page.getByLabel('Cor da marca (opcional)').fill('#B4531F')
  await page.getByLabel('Logotipo', { exact: true }).setInputFiles(await drawLogo('#123a6b'))
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('Ajustes salvos').waitFor()

  expect(wrong).toEqual([])
  const link = await testMerchant.newLink()
  for (const colorScheme of ['light', 'dark'] as const) {
    const payer = await testMerchant.newPage({ ...PHONE, colorScheme })
    await payer.page.goto(link.url)
    const logo = payer.page.locator('.merchant-logo')
    await expect
      .poll(() => logo.evaluate((one) => (one as HTMLImageElement).naturalWidth > 0))
      .toBe(true)
    const fill = await payer.page
      .locator('.button-pay')
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor)
    expect(fill).toBe('rgb(180, 83, 31)')
    expect(await findPageBarriers(payer.page)).toEqual([])
    expect(payer.wrong).toEqual([])
  }
})
