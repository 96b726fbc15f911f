// All payers, however they see and whatever they pay with.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../support/processes/browser.ts'
import {
  DESKTOP,
  fillCard,
  fillPayer,
  findBarriersEverywhere,
  getPayButton,
  openBrowserMerchant,
  openTab,
  PHONE,
} from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

async function toPayment(page: Page, url: string, card?: string) {
  await page.goto(url)
  await fillPayer(page)
  if (card) await fillCard(page, card)
  await getPayButton(page).click()
  await page.waitForURL('**/payments/**')
}

type Visit = (page: Page, url: string) => Promise<unknown>

const PAGES: Record<string, Visit> = {
  'the form': (page, url) => page.goto(url),
  'the form for a card': async (page, url) => {
    await page.goto(url)
    await fillCard(page, '4242424242424242')
  },
  'the form with errors': async (page, url) => {
    await page.goto(url)
    await page.getByText('Cartão de crédito').click()
    await getPayButton(page).click()
    await page.getByRole('heading', { name: /^Confira \d campos/ }).waitFor()
  },
  'the Pix page': (page, url) => toPayment(page, url),
  'the 3DS page': (page, url) => toPayment(page, url, '4000000000003220'),
  'a declined card': (page, url) => toPayment(page, url, '4000000000000002'),
  'the receipt': (page, url) => toPayment(page, url, '5555555555554444'),
  'an unknown link': (page, url) => page.goto(`${url.slice(0, -4)}2222`),
  'the report form': (page, url) => page.goto(`${url}/report`),
}

test('no page from the form to the receipt has a barrier, narrow in light or wide in dark', async () => {
  await testMerchant.change({ color: '#6d28d9', supportEmail: 'ajuda@vilanova.com.br' })
  const pages = Object.entries(PAGES).map(([name, visit]) => {
    const open = async ({ page }: { page: Page }) => visit(page, (await testMerchant.newLink()).url)
    return [name, open] as const
  })

  const found = await findBarriersEverywhere(testMerchant.newPage, Object.fromEntries(pages))

  expect(found).toEqual([])
})

test('everything one taps on the form and the Pix page is at least 44 px high', async () => {
  const link = await testMerchant.newLink()
  const { page } = await testMerchant.newPage()
  const small: string[] = []

  for (const name of ['the form for a card', 'the Pix page']) {
    await PAGES[name]!(page, link.url)
    for (const target of await page
      .locator('main :is(button, input, select, summary, label.choice)')
      .all()) {
      if (!(await target.isVisible())) continue
      const type = await target.getAttribute('type')
      const box = await target.boundingBox()
      // A radio is tapped through its whole label.
      if (type !== 'radio' && box && box.height < 44)
        small.push(`${name}: ${await target.textContent()} ${box.height}`)
    }
  }

  expect(small).toEqual([])
})

test('in letters twice as large no amount breaks on the narrowest phone, and nothing covers what is written', async () => {
  const browser = await launchBrowser(['--blink-settings=defaultFontSize=32'])
  onTestFinished(() => browser.close())
  const link = await testMerchant.newLink({ amountCents: 20_000_000 })
  const phone = { ...PHONE, viewport: { width: 320, height: 844 } }
  const { page } = await openTab(browser, new URL(link.url).origin, phone)

  await page.goto(link.url)
  await fillCard(page, '5555555555554444')
  await page.locator('.fold summary').press('Enter')
  await page.locator('[name="installments"]').last().press('Space')
  const found = await page.evaluate(findCollisions)

  expect(found.amounts).toHaveLength(27)
  expect(found.broken).toEqual([])
  expect(found.outside).toEqual([])
  expect(found.covered).toBe(false)
})

/** Amounts that are written on two lines or beyond what surrounds them, and a brand over its field's label. */
function findCollisions() {
  const read = (element: Element | null) => {
    const range = document.createRange()
    const node = element?.lastChild ?? document.body
    const text = node.textContent ?? ''
    const amount = /R\$\s[\d.,]+/.exec(text)
    range.setStart(node, amount?.index ?? 0)
    range.setEnd(node, amount ? amount.index + amount[0].length : text.length)
    return {
      text: String(range),
      lines: range.getClientRects(),
      box: range.getBoundingClientRect(),
    }
  }
  const written = document.querySelectorAll('#price, #price-total, .part, .total, .button-pay span')
  const amounts = [...written].filter((element) => element.getClientRects().length > 0)
  const brand = document.querySelector('.card-brand')?.getBoundingClientRect() ?? new DOMRect()
  const label = read(document.querySelector('[for="card-number"]')).box
  return {
    amounts: amounts.map((element) => read(element).text),
    broken: amounts.map(read).flatMap(({ text, lines }) => (lines.length > 1 ? [text] : [])),
    outside: amounts.flatMap((element) => {
      const around =
        element.closest('.choice, .button, main')?.getBoundingClientRect() ?? new DOMRect()
      const { text, box } = read(element)
      return box.left < around.left || box.right > around.right ? [text] : []
    }),
    covered: brand.left < label.right && brand.top < label.bottom,
  }
}

test('by keyboard alone the form is walked from top to bottom and paid', async () => {
  const link = await testMerchant.newLink({ methods: ['pix'], maxInstallments: 1 })
  const { page } = await testMerchant.newPage({ viewport: { width: 1280, height: 800 } })

  await page.goto(link.url)
  // After the document comes the switch to a keyboard with letters.
  for (const typed of ['Maria Silva', '52998224725', '', 'maria@example.com']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(typed)
  }
  await page.keyboard.press('Enter')
  await page.getByLabel('Código Pix copia e cola').waitFor()

  expect(page.url()).toContain('/payments/')
})

test('the receipt of a company with a long name, a message and a phone prints on one sheet, in black on white', async () => {
  const name =
    'Associação Comercial, Industrial e Agropecuária dos Produtores de Laranja de Bebedouro'
  const message = 'A sua matrícula foi recebida, e o acesso chega por e-mail em até um dia útil.'
  await testMerchant.change({
    name,
    supportEmail: 'ajuda@laranja.org.br',
    supportPhone: '11 98765-4321',
  })
  onTestFinished(() => testMerchant.change({ name: 'Escola Vila Nova', supportPhone: null }))
  const link = await testMerchant.newLink({
    successMessage: `${message}\nDúvidas? Responda a ele.`,
  })
  const { page } = await testMerchant.newPage(DESKTOP)
  await PAGES['the receipt']!(page, link.url)

  const paper = await page.pdf({ format: 'A4' })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const header = await page.locator('header').boundingBox()
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.getByText('Enviar por WhatsApp').isVisible()).toBe(false)
  expect(await page.getByText('R$ 100,00').first().isVisible()).toBe(true)
  expect(ground).toBe('rgb(255, 255, 255)')
  expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  expect(heading!.y - header!.y - header!.height).toBeGreaterThanOrEqual(8)
})

test('the Pix page prints on one sheet, with its code and its deadline', async () => {
  const link = await testMerchant.newLink({
    title: 'Mensalidade de dezembro do terceiro ano do ensino médio, turma da manhã, com material',
  })
  const { page } = await testMerchant.newPage(DESKTOP)
  await PAGES['the Pix page']!(page, link.url)

  const paper = await page.pdf({ format: 'A4' })
  await page.emulateMedia({ media: 'print' })

  expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  for (const shown of ['.qr', '.code', '.deadline time']) {
    expect(await page.locator(shown).isVisible(), shown).toBe(true)
  }
})
