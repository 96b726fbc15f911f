// A link's life as its company sees it: made, shared, paid, earned, paused.
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, fillPayer, getPayButton, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

async function fillLink(page: Page, title: string) {
  await page.getByLabel('Título').fill(title)
  await page.getByLabel('Valor (R$)').fill('1.200,00')
}

function unfold(page: Page, name: string) {
  return page.locator('summary', { hasText: name }).click()
}

async function payByPix(address: string) {
  const { page, wrong } = await testMerchant.newPage({ ...PHONE, javaScriptEnabled: false })
  await page.goto(address)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByRole('button', { name: 'Simular pagamento' }).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()
  return wrong
}

test('without JavaScript a link is made, paid and seen as earned', async () => {
  const { page, wrong, at } = await testMerchant.signIn({ ...DESKTOP, javaScriptEnabled: false })
  const title = 'Curso de pães'

  await page.goto(at('/painel/links'))
  await page.getByRole('link', { name: 'Novo link' }).click()
  await fillLink(page, title)
  await unfold(page, 'Mais opções')
  await page.getByLabel('Parcelas no cartão').selectOption('12')
  await page.getByRole('button', { name: 'Atualizar prévia' }).click()
  await page.getByText(/12x de R\$\s100,00 sem juros/).waitFor()
  await page.getByRole('button', { name: 'Criar link' }).click()
  await page.getByText('Link criado.').waitFor()
  const address = await page.getByLabel('Endereço do link').inputValue()
  const payerWrong = await payByPix(address)
  await page.reload()

  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title)
  const earned = page.getByRole('region', { name: 'O que este link rendeu' })
  expect(await earned.textContent()).toMatch(/Recebido\s+R\$\s1\.200,00/)
  const payment = page.getByRole('row', { name: /Maria Silva/ })
  expect(await payment.textContent()).toMatch(/Aprovado/)
  expect([...wrong, ...payerWrong]).toEqual([])
})

test('the preview follows what is typed, and the address is copied, also by a double click', async () => {
  const { page, context, wrong, at } = await testMerchant.signIn()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const preview = page.locator('#preview')

  await page.goto(at('/painel/links/novo'))
  await fillLink(page, 'Curso')
  await unfold(page, 'Mais opções')
  await page.getByLabel('Parcelas no cartão').selectOption('3')
  await expect.poll(() => preview.textContent()).toMatch(/3x de R\$\s400,00 sem juros/)
  await page.getByLabel('O cliente paga os juros').check()
  await expect.poll(() => preview.textContent()).toMatch(/3x de R\$\s424,15 com juros/)
  await page.getByLabel('Cartão de crédito').uncheck()
  await expect.poll(() => preview.textContent()).not.toContain('Cartão')
  const installments = await page.getByLabel('Parcelas no cartão').isVisible()
  await page.getByLabel('Um número de pagamentos').check()
  await page.getByLabel('Quantos', { exact: true }).fill('30')
  await page.getByRole('button', { name: 'Criar link' }).click()
  await page.getByRole('button', { name: 'Copiar' }).click()
  await page.getByRole('button', { name: 'Copiado' }).click()
  await page.getByRole('button', { name: 'Copiar' }).waitFor()

  expect(installments).toBe(false)
  expect(await page.getByText('Até 30 pagamentos').first().isVisible()).toBe(true)
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(await page.getByLabel('Endereço do link').inputValue())
  expect(wrong).toEqual([])
})

test('a form is sent again after its sending was stopped, and not twice meanwhile', async () => {
  const { page, context, at } = await testMerchant.signIn()
  const browser = await context.newCDPSession(page)
  const held: Route[] = []
  await page.clock.install()
  await page.goto(at('/painel/links/novo'))
  await fillLink(page, 'Curso parado')
  await page.route('**/painel/links/novo', (route) => void held.push(route))
  const create = page.getByRole('button', { name: 'Criar link' })

  await create.click({ noWaitAfter: true })
  await expect.poll(() => held.length).toBe(1)
  await browser.send('Page.stopLoading')
  await create.click({ noWaitAfter: true })
  await page.clock.fastForward(15_000)
  const sentAtOnce = held.length
  await create.click({ noWaitAfter: true })

  await expect.poll(() => held.length).toBe(2)
  expect(sentAtOnce).toBe(1)
})

/** Points of a sheet, 72 to an inch. */
const SHEETS = { a6: [298, 420], a5: [420, 595], a4: [595, 842] }

test('a poster is printed on one sheet of any size, however long its title', async () => {
  const title = 'Confeitaria '.repeat(10).trim()
  const link = await testMerchant.newLink({ title, amountCents: 20_000_000 })
  const { page, at, wrong } = await testMerchant.signIn()

  for (const [sheet, size] of Object.entries(SHEETS)) {
    await page.goto(at(`/painel/links/${link.id}/cartaz?folha=${sheet}`))
    await page.emulateMedia({ media: 'print' })
    const printed = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    const [tools, qr, last, paper] = await Promise.all(
      ['.tools', '.qr', '.address', '.poster'].map((part) => page.locator(part).boundingBox()),
    )

    const [, ...box] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(printed) ?? []
    expect(box.map((side) => Math.round(Number(side)))).toEqual(size)
    expect(printed.match(/\/Type \/Page\b/g)).toHaveLength(1)
    expect(tools).toBeNull()
    expect(qr!.width).toBeGreaterThan(paper!.width * 0.3)
    expect(last!.y + last!.height).toBeLessThan(paper!.y + paper!.height)
  }
  expect(wrong).toEqual([])
})

test('on a phone the page of a link begins with its QR code and the ways to send it, its apps among them', async () => {
  const link = await testMerchant.newLink({ title: 'Encomenda de salgados para a festa junina' })
  const { page, at, wrong } = await testMerchant.signIn(PHONE)
  await page.goto(at(`/painel/links/${link.id}`))
  const region = page.getByRole('region', { name: 'Compartilhar' })
  const share = page.getByRole('button', { name: 'Compartilhar' })
  const parts = [
    region.getByRole('img', { name: /^QR Code/ }),
    region.getByRole('link', { name: 'Enviar pelo WhatsApp' }),
    region.getByRole('button', { name: 'Copiar' }),
  ]

  const boxes = await Promise.all(parts.map((part) => part.boundingBox()))
  const isShown = await share.isVisible()
  await page.addInitScript(() => {
    const shared: unknown[] = []
    Object.assign(globalThis, { shared })
    Object.defineProperty(navigator, 'share', { value: async (what: unknown) => shared.push(what) })
  })
  await page.reload()
  await share.click()

  const ends = boxes.map((box) => box!.y + box!.height)
  expect(Math.max(...ends)).toBeLessThanOrEqual(PHONE.viewport!.height)
  const shared = await page.evaluate(() => JSON.stringify(Object(globalThis).shared))
  expect(isShown).toBe(false)
  expect(JSON.parse(shared)).toEqual([{ text: expect.stringContaining(link.url) }])
  expect(wrong).toEqual([])
})
