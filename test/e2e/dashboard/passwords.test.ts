// A password can be read while it is typed, and is one again when it is sent.
import { expect, test } from 'vitest'
import { findPageBarriers, openBrowserMerchant } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

const NARROW = { viewport: { width: 320, height: 700 } }

test('a password is shown and hidden by a button, also from the keyboard, and sent as a password', async () => {
  const { page, wrong, at } = await testMerchant.signIn({ ...NARROW, colorScheme: 'dark' })
  await page.goto(at('/painel/conta'))
  const field = page.getByLabel('Senha atual')
  const other = page.getByLabel('Nova senha')
  const button = page.locator('[data-reveal="current"]')
  await field.fill('bolo')

  await field.press('Tab')
  await page.keyboard.press('Space')
  const shown = await Promise.all([field.getAttribute('type'), button.getAttribute('aria-pressed')])
  const words = await button.textContent()
  const { height, width } = (await button.boundingBox())!
  const barriers = await findPageBarriers(page)
  await button.click()
  const hidden = await Promise.all([
    field.getAttribute('type'),
    button.getAttribute('aria-pressed'),
  ])
  await button.click()
  const sent = page.evaluate(
    () =>
      new Promise((found) =>
        document.addEventListener('submit', () =>
          found(document.querySelector('#current')!.getAttribute('type')),
        ),
      ),
  )
  await page.evaluate(() => new Promise((done) => setTimeout(done)))
  await page.evaluate(() => {
    document.addEventListener('submit', (event) => event.preventDefault())
  })
  await field.press('Enter')

  expect(shown).toEqual(['text', 'true'])
  expect(words).toBe('Ocultar')
  expect(hidden).toEqual(['password', 'false'])
  expect(await other.getAttribute('type')).toBe('password')
  expect([height >= 44, width >= 44]).toEqual([true, true])
  expect(await sent).toBe('password')
  expect([...barriers, ...wrong]).toEqual([])
})

test('without JavaScript there is no such button', async () => {
  const { at } = await testMerchant.signIn()
  const { page } = await testMerchant.newPage({ ...NARROW, javaScriptEnabled: false })
  await page.goto(at('/painel/entrar'))

  expect(await page.getByLabel('Senha').isVisible()).toBe(true)
  expect(await page.locator('[data-reveal]').isVisible()).toBe(false)
})
