// The switch between a company's environments: seen and used at any width, in the light and in the dark.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, findAxeViolations, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

const BANNER = 'AMBIENTE DE TESTE'

test.each([
  ['a phone in dark', { ...PHONE, colorScheme: 'dark' }],
  ['a desk in light', { ...DESKTOP, colorScheme: 'light' }],
] as const)(
  'on %s the environment is seen at once, and switched in one step',
  async (_where, look) => {
    const { page, at } = await testMerchant.signIn(look)
    await page.goto(at('/painel/links'))
    const inTest = await lookAt(page)
    await page.getByRole('button', { name: 'Real', exact: true }).click()
    const inReal = await lookAt(page)
    await page.getByRole('button', { name: 'Teste', exact: true }).click()
    await page.getByText(BANNER).waitFor()

    expect(inTest).toEqual({ ...SEEN, banner: true, pressed: 'Teste' })
    expect(inReal).toEqual({ ...SEEN, banner: false, pressed: 'Real' })
  },
)

const SEEN = { path: '/painel/links', isWide: false, isInView: true, violations: [] }

async function lookAt(page: Page) {
  const pressed = page.locator('.environment button[aria-pressed="true"]')
  const box = (await pressed.boundingBox())!
  return {
    path: new URL(page.url()).pathname,
    banner: await page.getByText(BANNER).isVisible(),
    pressed: await pressed.textContent(),
    isInView: box.y + box.height < 200 && box.height >= 32,
    isWide: await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
    violations: await findAxeViolations(page),
  }
}
