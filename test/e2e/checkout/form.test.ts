// How the form helps who fills it in: the keyboard that opens, what is pasted, the price that follows the choice,
// and what is shown where the browser lacks JavaScript, or :has(), or room.
import { expect, test } from 'vitest'
import { saveLinkImage } from '../../../src/payment-links/image.ts'
import { findPaymentLink } from '../../../src/payment-links/payment-link.ts'
import { createImage } from '../../support/dashboard/brand.ts'
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

test('a CPF is typed on the number pad, a CNPJ with letters one tap away, and of what is pasted the document is kept', async () => {
  const { page } = await testMerchant.newPage()
  const taxId = page.getByLabel('CPF ou CNPJ')
  const kept: string[] = []

  await page.goto((await testMerchant.newLink()).url)
  const first = await taxId.getAttribute('inputmode')
  await page.getByRole('button', { name: 'CNPJ com letras' }).click()
  const then = await taxId.getAttribute('inputmode')
  await page.keyboard.type('12abc34501de35')
  const typed = await taxId.inputValue()
  await page.getByRole('button', { name: 'Só números' }).click()
  const last = await taxId.getAttribute('inputmode')
  for (const pasted of [
    'CPF: 529.982.247-25',
    '５２９．９８２．２４７－２５',
    ' cnpj nº 12.ABC.345/01DE-35',
  ]) {
    await taxId.fill('')
    await page.keyboard.insertText(pasted)
    kept.push(await taxId.inputValue())
  }

  expect([first, then, last]).toEqual(['numeric', 'text', 'numeric'])
  expect(typed).toBe('12.ABC.345/01DE-35')
  expect(kept).toEqual(['529.982.247-25', '529.982.247-25', '12.ABC.345/01DE-35'])
})

test('a payer without a CPF ticks a box, and types a passport as it is', async () => {
  await testMerchant.change({ acceptsForeignDocuments: true })
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage(PHONE)
  const box = page.getByLabel('Não tenho CPF')
  const passport = page.getByLabel('Passaporte ou documento do seu país')

  await page.goto(link.url)
  const byPix = await box.isVisible()
  await fillPayer(page)
  await fillCard(page, '4242424242424242')
  // A Mexican CURP of 18 characters, typed before the box is seen.
  await page.getByLabel('CPF ou CNPJ').fill('GOMC850101HDFRRL09')
  await page.getByLabel('CPF ou CNPJ').blur()
  await box.check()
  const early = await passport.inputValue()
  await passport.fill('ab')
  await getPayButton(page).click()
  const problems = await page.locator('.field-error').allTextContents()
  const barriers = await findPageBarriers(page)
  await page.getByRole('radio', { name: 'Pix' }).check()
  const label = await page.getByLabel('CPF ou CNPJ').isVisible()
  await page.getByRole('radio', { name: 'Cartão de crédito' }).check()
  await passport.fill('ab-123456')
  await passport.blur()
  const typed = await passport.inputValue()
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Pagamento aprovado' }).waitFor()
  await testMerchant.change({ acceptsForeignDocuments: false })

  expect(barriers).toEqual([])
  expect(byPix).toBe(false)
  expect(problems).toEqual([expect.stringContaining('de 5 a 20 letras e números')])
  expect(label).toBe(true)
  expect([early, typed]).toEqual(['GOMC850101HDFRRL09', 'ab-123456'])
  expect(wrong).toEqual([])
})

test('what a keyboard composes is left alone until it is composed', async () => {
  const { page, context } = await testMerchant.newPage()
  const keyboard = await context.newCDPSession(page)
  const taxId = page.getByLabel('CPF ou CNPJ')
  const letters = '12abc34501de35'

  await page.goto((await testMerchant.newLink()).url)
  await page.getByRole('button', { name: 'CNPJ com letras' }).click()
  for (let end = 1; end <= letters.length; end++) {
    const composed = { text: letters.slice(0, end), selectionStart: end, selectionEnd: end }
    await keyboard.send('Input.imeSetComposition', composed)
  }
  const composing = await taxId.inputValue()
  await page.getByLabel('E-mail').focus()

  expect(composing).toBe(letters)
  expect(await taxId.inputValue()).toBe('12.ABC.345/01DE-35')
})

test('an expiry that a browser or a password manager fills in stands as on the card', async () => {
  const { page } = await testMerchant.newPage()
  const expiry = page.getByLabel('Validade')
  const kept: string[] = []

  await page.goto((await testMerchant.newLink()).url)
  await page.getByText('Cartão de crédito').click()
  for (const given of ['12/2030', '7 / 30', '2030-12', '2032-07']) {
    await expiry.fill(given)
    await expiry.blur()
    kept.push(await expiry.inputValue())
    expect(await page.locator('#card-expiry-error').count()).toBe(0)
  }

  expect(kept).toEqual(['12 / 30', '07 / 30', '12 / 30', '07 / 32'])
})

const DOMAINS: [typed: string, meant: string | null][] = [
  ['hotmail.con', 'hotmail.com'],
  ['gmai.com', 'gmail.com'],
  ['yaho.com.br', 'yahoo.com.br'],
  ['gmail.com.br', 'gmail.com'],
  ['uol.com', 'uol.com.br'],
  ['yahoo.br', 'yahoo.com.br'],
  ['hotmail.com.br', null],
  ['yahoo.fr', null],
  ['ymail.com', null],
  ['padaria.com.br', null],
  ['gmail.com', null],
]

test('an e-mail loses what stood around it, and a slip in a common domain is asked about, but no other', async () => {
  const { page } = await testMerchant.newPage()
  const email = page.getByLabel('E-mail')
  const asked: typeof DOMAINS = []

  await page.goto((await testMerchant.newLink()).url)
  await email.fill('<ana@padaria.com.br\u200b>,')
  await email.blur()
  const trimmed = await email.inputValue()
  for (const [typed] of DOMAINS) {
    await email.fill(`ana@${typed}`)
    await email.blur()
    const [suggested] = await page.locator('#email-suggestion button').allTextContents()
    asked.push([typed, suggested?.replace('ana@', '') ?? null])
  }
  await email.fill('Ana.Lima@gmial.com')
  await email.blur()
  await page.getByRole('button', { name: 'Ana.Lima@gmail.com' }).click()

  expect(trimmed).toBe('ana@padaria.com.br')
  expect(asked).toEqual(DOMAINS)
  expect(await email.inputValue()).toBe('Ana.Lima@gmail.com')
  expect(await page.locator('#email-suggestion').count()).toBe(0)
})

test('a CPF without its leading zero is asked about, and taken by one click', async () => {
  const { page } = await testMerchant.newPage()
  const taxId = page.getByLabel('CPF ou CNPJ')

  await page.goto((await testMerchant.newLink()).url)
  await taxId.fill('1234567890')
  await taxId.blur()
  await page.getByRole('button', { name: '012.345.678-90' }).click()

  expect(await taxId.inputValue()).toBe('012.345.678-90')
  expect(await taxId.getAttribute('aria-invalid')).toBeNull()
  expect(await page.locator('#taxId-suggestion').count()).toBe(0)
})

test('the price on top follows what is chosen, by the keyboard too', async () => {
  const link = await testMerchant.newLink({ amountCents: 123_456, maxInstallments: 12 })
  const { page } = await testMerchant.newPage()
  const readPrice = async () =>
    (await page.locator('.amount, .amount-total:visible').allTextContents()).map((text) =>
      text.replace(/\s+/g, ' ').trim(),
    )

  await page.goto(link.url)
  const offer = await page.locator('.choice-card').textContent()
  await page.getByLabel('Pix').focus()
  await page.keyboard.press('ArrowDown')
  await page.getByText('Ver outras').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: /^1x de/ }).focus()
  await page.keyboard.press('ArrowUp')
  const inTwelve = await readPrice()
  const button = await getPayButton(page).textContent()
  await page.getByRole('radio', { name: 'Pix' }).check()
  const byPix = await readPrice()

  expect(offer?.replaceAll('\u00a0', ' ')).toContain('Até 12x de R$ 123,95')
  expect(inTwelve).toEqual(['Valor: 12x de R$ 123,95', 'total R$ 1.487,40'])
  expect(button?.replaceAll('\u00a0', ' ')).toContain('Pagar R$ 1.487,40 em 12x')
  expect(byPix).toEqual(['Valor: R$ 1.234,56'])
})

test('the chosen number of installments is shown alone, so that the button stands near the security code', async () => {
  const link = await testMerchant.newLink({ amountCents: 123_456, maxInstallments: 12 })
  const { page } = await testMerchant.newPage()
  const rows = page.locator('.installment:visible')
  const readBottom = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox())!
    return y + height
  }

  await page.goto(link.url)
  await page.getByText('Cartão de crédito').click()
  const folded = await rows.count()
  const away = (await readBottom('.button-pay')) - (await readBottom('#card-code'))
  await page.getByText('Ver outras opções').click()
  const open = await rows.count()
  await page.getByRole('radio', { name: /^10x/ }).click()

  expect([folded, open, await rows.count()]).toEqual([1, 12, 1])
  expect(await rows.textContent()).toContain('10x de')
  expect(await page.locator('.button-pay').isVisible()).toBe(true)
  // A keyboard leaves some 500 px of a phone.
  expect(away).toBeLessThan(300)
})

test('an empty form lists what is wrong with each field on top and at the field', async () => {
  const { page } = await testMerchant.newPage()

  await page.goto((await testMerchant.newLink()).url)
  await page.getByText('Cartão de crédito').click()
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Confira 7 campos' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('problems')
  const named = await page.locator('#problems li').allTextContents()
  const told = await page.locator('.field-error').allTextContents()
  await page.getByRole('link', { name: 'Confira o número do cartão.' }).click()

  expect(named).toHaveLength(7)
  expect(told).toEqual(named.map((sentence) => `Erro: ${sentence}`))
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('card-number')
})

test.each([
  { hasScript: true, knowsHas: false },
  { hasScript: false, knowsHas: true },
  { hasScript: false, knowsHas: false },
])('nothing is wrongly labelled: script $hasScript, :has() $knowsHas', async (browser) => {
  const { page } = await testMerchant.newPage({ ...PHONE, javaScriptEnabled: browser.hasScript })
  if (!browser.knowsHas) {
    await page.route('**/checkout*.css', async (route) => {
      const response = await route.fetch()
      return route.fulfill({ response, body: (await response.text()).replaceAll(':has(', ':xyz(') })
    })
  }
  const readState = async () => ({
    button: await page.locator('.button-pay span:visible').allTextContents(),
    card: await page.locator('#card').isVisible(),
    hint: await page.locator('.if-card').isVisible(),
  })

  await page.goto((await testMerchant.newLink()).url)
  const byPix = await readState()
  await page.getByText('Cartão de crédito').click()
  const byCard = await readState()

  const isKnown = browser.hasScript || browser.knowsHas
  expect(byPix).toEqual({
    button: [isKnown ? 'Pagar R$\u00a0100,00 com Pix' : 'Pagar'],
    card: !isKnown,
    hint: !isKnown,
  })
  expect(byCard).toEqual({
    button: [browser.hasScript ? 'Pagar R$\u00a0100,00' : 'Pagar'],
    card: true,
    hint: !isKnown,
  })
})

test('from 900 px what is bought stands beside the form, and the payment is one column again', async () => {
  const { page, wrong } = await testMerchant.newPage(DESKTOP)
  const readLefts = () =>
    page
      .locator('.bought, .sheet')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x))

  await page.goto((await testMerchant.newLink()).url)
  const wide = await readLefts()
  await page.setViewportSize({ width: 899, height: 900 })
  const narrow = await readLefts()
  await page.setViewportSize({ width: 1280, height: 900 })
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByLabel('Código Pix copia e cola').waitFor()
  const box = (await page.locator('main').boundingBox())!

  expect(wide[1]).toBeGreaterThan(wide[0]! + 300)
  expect(narrow[1]).toBe(narrow[0])
  expect(Math.abs(box.x + box.width / 2 - 640)).toBeLessThan(2)
  expect(wrong).toEqual([])
})

test('a long description is shown whole at a tap, without JavaScript too', async () => {
  const link = await testMerchant.newLink({
    description: 'Aulas aos sábados, com material. '.repeat(20),
  })
  const { page } = await testMerchant.newPage({ ...PHONE, javaScriptEnabled: false })
  const readHeight = async () => (await page.locator('.description').boundingBox())!.height

  await page.goto(link.url)
  const folded = await readHeight()
  await page.getByText('Ver mais').click()

  expect(folded).toBeLessThan(160)
  expect(await readHeight()).toBeGreaterThan(250)
  expect(await page.getByText('Ver menos').isVisible()).toBe(true)
})

const WIDE_FIELDS = [
  { label: WIDE.slice(0, 40), type: 'text', required: true },
  { label: 'Tamanho', type: 'choice', required: true, options: ['P', WIDE.slice(0, 40)] },
  { label: 'Nascimento', type: 'date' },
]

/** A link with the longest words, the highest price and an image. */
async function newWideLink() {
  const { db, company } = testMerchant
  const made = await testMerchant.newLink({
    ...{ title: WIDE, description: `${WIDE} 👩‍🍳 ${WIDE} ${WIDE}`, amountCents: 19_999_999 },
    customFields: WIDE_FIELDS,
  })
  const link = (await findPaymentLink(db, company.id, made.id))!
  await saveLinkImage(db, link, await createImage('#b4531f').png().toBuffer(), new Date())
  return made
}

test('words without a space, dear prices and twelve rows fit everywhere, and everybody can use them', async () => {
  const supportEmail = `${'secretaria.financeira'.repeat(3)}@escolavilanova.com.br`
  await testMerchant.change({ name: `مدرسة ${WIDE.slice(0, 90)} 🥐`, supportEmail })
  const link = await newWideLink()

  const found = await findBarriersEverywhere(testMerchant.newPage, {
    'the form': async ({ page }) => {
      await page.goto(link.url)
      await page.getByText('Cartão de crédito').click()
      await page.getByText('Ver outras').click()
      await page.getByRole('radio', { name: /^12x/ }).focus()
      await page.keyboard.press('Space')
      await getPayButton(page).click()
      await page.locator('#problems li').first().waitFor()
      const cut = await page
        .locator('.installment, .part, .total, .terms, .amount, .button-pay')
        .evaluateAll(
          (all) =>
            all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
              .length,
        )
      expect(cut).toBe(0)
    },
  })

  expect(found).toEqual([])
})
