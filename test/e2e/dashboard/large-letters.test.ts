// A phone with letters twice as large: every page fits, and what is written is read whole.
import { expect, test } from 'vitest'
import { launchBrowser } from '../../support/processes/browser.ts'
import { fillPayer, getPayButton, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant({
  launch: () => launchBrowser(['--blink-settings=defaultFontSize=32']),
})

const WIDTH = 320

test('in letters twice as large no page is wider than the narrowest phone, and lists are searched', async () => {
  const phone = { ...PHONE, viewport: { width: WIDTH, height: 844 } }
  const link = await testMerchant.newLink()
  const payer = await testMerchant.newPage(phone)
  await payer.page.goto(link.url)
  await getPayButton(payer.page).click()
  await payer.page.getByRole('heading', { name: /^Confira \d campos/ }).waitFor()
  const refused = await payer.page.evaluate(() => document.documentElement.scrollWidth)
  await fillPayer(payer.page)
  await getPayButton(payer.page).click()
  await payer.page.getByRole('heading', { name: 'Pague com Pix' }).waitFor()
  const { page, at } = await testMerchant.signIn(phone)
  const widths: [string, number][] = [['the form with errors', refused]]
  for (const path of [
    ...['', '/transacoes', '/links', '/chaves', '/recebimentos', '/recebimentos/tarifas'],
    '/relatorios/fechamento',
  ]) {
    await page.goto(at(`/painel${path}`))
    widths.push([path, await page.evaluate(() => document.documentElement.scrollWidth)])
  }
  await page.goto(at('/painel/transacoes'))
  const [badge, card] = await Promise.all(
    ['.table-list .badge', '.card-flush'].map((place) => page.locator(place).first().boundingBox()),
  )
  const search = await page.getByLabel('Nome, CPF, valor, dia, link…').boundingBox()

  expect(widths.filter(([, one]) => one > WIDTH)).toEqual([])
  expect(badge!.x + badge!.width).toBeLessThanOrEqual(card!.x + card!.width)
  expect(search!.width).toBeGreaterThan(100)
})
