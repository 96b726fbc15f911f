// Many links at once, by keyboard alone.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { paymentLinks } from '../../../src/database/tables.ts'
import { DESKTOP, findPageBarriers, openBrowserMerchant } from '../merchant.ts'

const testMerchant = await openBrowserMerchant({ isAlone: true })
const { db } = testMerchant

const MOST_TABS = 60

/** Fresh links under a tag of their own, and their list. */
async function openTagged(tag: string, options = DESKTOP) {
  const ids: string[] = []
  for (let n = 1; n <= 4; n++) {
    ids.unshift((await testMerchant.newLink({ title: `Turma ${n}`, tags: [tag] })).id)
  }
  const tab = await testMerchant.signIn(options)
  const list = tab.at(`/painel/links?tag=${tag}`)
  await tab.page.goto(list)
  const statesOf = async () => {
    const rows = await db.select().from(paymentLinks)
    return ids.map((id) => rows.find((row) => row.id === id)!.status)
  }
  return { ...tab, ids, list, statesOf }
}

/** Tab, as somebody without a mouse presses it, until the focus is there. */
async function tabTo(page: Page, selector: string) {
  for (let n = 0; n < MOST_TABS; n++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return
  }
  throw new Error(`Nothing leads to ${selector}`)
}

test('by keyboard alone links are chosen, paused and brought back', async () => {
  const { page, statesOf, wrong } = await openTagged('teclado')

  await tabTo(page, '.pick [name=link]')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+Space')
  const said = await page.locator('[data-chosen]').textContent()
  const aloud = await page.locator('#live').textContent()
  await tabTo(page, 'button[value=pausar]')
  await page.keyboard.press('Enter')
  await page.getByText('3 links pausados.').waitFor()
  const paused = await statesOf()
  await tabTo(page, '[data-choose-page]')
  await page.keyboard.press('Space')
  await tabTo(page, 'button[value=reativar]')
  await page.keyboard.press('Enter')
  await page.getByText('3 links reativados. 1 já estava assim.').waitFor()

  expect([said, aloud]).toEqual(['3 escolhidos', '3 escolhidos'])
  expect(paused).toEqual(['inactive', 'inactive', 'inactive', 'active'])
  expect(await statesOf()).toEqual(['active', 'active', 'active', 'active'])
  expect(wrong).toEqual([])
})

test('Escape lets all go, and Enter on a box ticks it and sends nothing', async () => {
  const { page, list } = await openTagged('soltar')
  const boxes = page.locator('.pick [name=link]')

  await boxes.first().focus()
  await page.keyboard.press('Enter')
  const ticked = await boxes.first().isChecked()
  await page.locator('[data-choose-page]').check()
  const all = await page.locator('[data-chosen]').textContent()
  await page.keyboard.press('Escape')

  expect([ticked, all]).toEqual([true, '4 escolhidos'])
  expect(
    await boxes.evaluateAll(
      (found) => found.filter((one) => 'checked' in one && one.checked).length,
    ),
  ).toBe(0)
  expect(await page.locator('.choose').isVisible()).toBe(false)
  expect(page.url()).toBe(list)
})

test('what is chosen, and what came of it, has no barrier on a narrow screen', async () => {
  const { page, wrong } = await openTagged('axe', { viewport: { width: 320, height: 800 } })
  const found: string[] = []

  await page.locator('.pick [name=link]').first().check()
  await page.locator('.choose-more summary').click()
  found.push(...(await findPageBarriers(page)))
  await page.getByRole('button', { name: 'Pausar' }).click()
  await page.getByText('1 link pausado.').waitFor()
  found.push(...(await findPageBarriers(page)))

  expect([...found, ...wrong]).toEqual([])
})
