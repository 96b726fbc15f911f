// What a chart tells: to whoever points at it or comes by keyboard, on any screen, without JavaScript.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { seedDashboardDemo } from '../../support/dashboard/demo.ts'
import { DESKTOP, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant({ isAlone: true })
const REPORTS = '/painel/relatorios'

let owner: { email: string; password: string }

beforeAll(async () => {
  owner = (await seedDashboardDemo(testMerchant.db, 'dona@solemar.example')).owner
}, 90_000)

function openPage(options: typeof DESKTOP = DESKTOP) {
  return testMerchant.signIn({ ...options, javaScriptEnabled: false }, owner)
}

/** What is told of columns at this moment. */
function readShownTips(page: Page) {
  return page
    .locator('.chart-tip')
    .evaluateAll((tips) =>
      tips
        .filter((tip) => getComputedStyle(tip).opacity === '1')
        .map((tip) => tip.textContent?.replaceAll(/\s+/g, ' ').trim()),
    )
}

test('a chart is one stop of the keyboard, and its columns are told one by one', async () => {
  const { page, at } = await openPage()
  await page.goto(at(`${REPORTS}?por=dia&periodo=7-dias`))
  const columns = page.getByRole('radio')

  await columns.first().focus()
  const first = await readShownTips(page)
  await page.keyboard.press('ArrowRight')
  const second = await readShownTips(page)
  await page.keyboard.press('Tab')
  const after = await readShownTips(page)

  expect(await columns.count()).toBe(7)
  const told = /^\d\d\/\d\d\/\d{4} R\$ [\d.,]+ Período anterior: R\$ /
  expect([first, second]).toEqual([[expect.stringMatching(told)], [expect.stringMatching(told)]])
  expect(second).not.toEqual(first)
  expect(after).toEqual([])
})

test('whoever points at a column is told of it alone', async () => {
  const { page, at } = await openPage()
  await page.goto(at('/painel'))
  await page.locator('summary', { hasText: 'Últimos 30 dias' }).click()
  const columns = page.locator('.chart-column')

  await columns.nth(3).locator('.chart-bars').click()
  await columns.nth(20).locator('.chart-bars').hover()

  expect(await columns.count()).toBe(30)
  const [tip, ...others] = await readShownTips(page)
  expect(others).toEqual([])
  expect((await columns.nth(20).textContent())?.trim().startsWith(tip!.slice(0, 10))).toBe(true)
})

// One column, or twelve: of today there is none yet just after midnight.
test.each([
  [390, 'mes-passado'],
  [1024, '12-meses'],
])(
  'at %i pixels no bar of the period %s is wider than 64, and what is told of it stays on the screen',
  async (width, period) => {
    const { page, at } = await openPage(
      width === 390 ? PHONE : { viewport: { width, height: 900 } },
    )
    await page.goto(at(`${REPORTS}?por=mes&periodo=${period}`))

    const widths = await page
      .locator('.chart-bars rect')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width))
    const tips = await page
      .locator('.chart-tip')
      .evaluateAll((all) => all.map((tip) => tip.getBoundingClientRect().toJSON()))

    expect(Math.max(...widths)).toBeLessThanOrEqual(64)
    expect(Math.max(...widths)).toBeGreaterThan(8)
    expect(tips.every(({ left, right }) => left >= 0 && right <= width)).toBe(true)
  },
)
