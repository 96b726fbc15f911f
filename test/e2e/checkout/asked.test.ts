// What a link asks and shows beside its price, as payers meet it: fields, image, message, an address that fills in.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import { saveLinkImage } from '../../../src/payment-links/image.ts'
import { findPaymentLink } from '../../../src/payment-links/payment-link.ts'
import { createImage } from '../../support/dashboard/brand.ts'
import {
  fillCard,
  fillPayer,
  findBarriersEverywhere,
  getPayButton,
  openBrowserMerchant,
  PHONE,
} from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

const ASKED = {
  customFields: [
    { key: 'aluno', label: 'Nome do aluno', type: 'text', required: true },
    { key: 'tamanho', label: 'Tamanho', type: 'choice', required: true, options: ['P', 'M', 'G'] },
    { key: 'peso', label: 'Peso em kg', type: 'number' },
    { key: 'nascimento', label: 'Nascimento', type: 'date' },
  ],
  successMessage: 'Obrigado!\nEsperamos você no sábado.',
}
const ANSWERS = ['Ana', 'M', '12.5', '2015-02-28']

async function newLink(fields: object = {}) {
  const made = await testMerchant.newLink({ ...ASKED, ...fields })
  const { db, company } = testMerchant
  const link = (await findPaymentLink(db, company.id, made.id))!
  await saveLinkImage(db, link, await createImage('#b4531f').png().toBuffer(), new Date())
  return made
}

async function answersOf(linkId: string) {
  const [row] = await testMerchant.db
    .select()
    .from(transactions)
    .where(eq(transactions.paymentLinkId, linkId))
  return row?.customFields?.map(({ value }) => value)
}

test('a payer without JavaScript answers what is asked, and reads the company’s words at the end', async () => {
  const link = await newLink()
  const { page, wrong } = await testMerchant.newPage({ ...PHONE, javaScriptEnabled: false })

  await page.goto(`${link.url}?name=Maria+Silva&email=maria%40example.com&ref=natal`)
  await page.getByLabel('CPF ou CNPJ').fill('52998224725')
  await page.getByLabel('Peso em kg').fill('dez')
  await getPayButton(page).click()
  const problems = await page.locator('.field-error').allTextContents()
  await page.getByLabel('Nome do aluno').fill('Ana')
  await page.getByLabel('Tamanho').selectOption('M')
  await page.getByLabel('Peso em kg').fill('12,5')
  await page.getByLabel('Nascimento').fill('2015-02-28')
  await getPayButton(page).click()
  await page.getByRole('button', { name: 'Simular pagamento' }).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(problems).toEqual([
    'Erro: Preencha o campo "Nome do aluno".',
    'Erro: Preencha o campo "Tamanho".',
    'Erro: Informe um número no campo "Peso em kg", como 1.234,56.',
  ])
  expect(await page.locator('.receipt-message .company-words').textContent()).toBe(
    ASKED.successMessage,
  )
  expect(await answersOf(link.id)).toEqual(ANSWERS)
  expect(wrong).toEqual([])
})

test('with JavaScript what is wrong is said before anything is sent, at each field', async () => {
  const link = await newLink()
  const { page, wrong } = await testMerchant.newPage()
  let posts = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/payments')) posts++
  })

  await page.goto(link.url)
  await fillPayer(page)
  await page.getByLabel('Peso em kg').fill('12.5')
  await getPayButton(page).click()
  const problems = await page.locator('.field-error').allTextContents()
  const described = await page.getByLabel('Tamanho').getAttribute('aria-describedby')
  const sent = posts
  await page.getByLabel('Nome do aluno').fill('Ana')
  await page.getByLabel('Tamanho').selectOption('M')
  await page.getByLabel('Peso em kg').fill('12,5')
  await page.getByLabel('Nascimento').fill('2015-02-28')
  await getPayButton(page).click()
  await page.getByLabel('Código Pix copia e cola').waitFor()

  expect(problems).toEqual([
    'Erro: Preencha o campo "Nome do aluno".',
    'Erro: Preencha o campo "Tamanho".',
    'Erro: Informe um número no campo "Peso em kg", como 1.234,56.',
  ])
  expect(described).toBe('custom_tamanho-error')
  expect(sent).toBe(0)
  expect(await answersOf(link.id)).toEqual(ANSWERS)
  expect(wrong).toEqual([])
})

/** By card, ready to be paid. */
async function openFilledForm(url: string) {
  const { page } = await testMerchant.newPage()
  await page.goto(url)
  await fillPayer(page)
  await fillCard(page, '4242424242424242')
  await page.getByLabel('Nome do aluno').fill('Ana')
  await page.getByLabel('Tamanho').selectOption('M')
  return page
}

test('a card is paid with answers too', async () => {
  const link = await newLink()
  const page = await openFilledForm(link.url)

  await getPayButton(page).click()
  await page.getByText('Esperamos você no sábado.').waitFor()

  expect(await answersOf(link.id)).toEqual(['Ana', 'M'])
})

test.each([
  ['an answer that shows nothing', 'Nome do aluno', 'Preencha o campo', '\u200b\u2060'],
  [
    'a name of letters that show nothing',
    'Nome completo',
    'Informe seu nome',
    '\u3164\u3164\u3164',
  ],
])('%s is asked for on the page, where the card stays typed', async (_what, label, said, typed) => {
  const link = await newLink()
  const page = await openFilledForm(link.url)

  await page.getByLabel(label).fill(typed)
  await getPayButton(page).click()
  await page.locator('#problems').getByRole('link', { name: said }).waitFor()

  expect(await page.getByLabel('Número do cartão').inputValue()).toBe('4242 4242 4242 4242')
  expect(await answersOf(link.id)).toBeUndefined()
})

test('controls that came along with copied text are no reason to refuse a card', async () => {
  const link = await newLink()
  const page = await openFilledForm(link.url)
  await page.getByLabel('Nome completo').fill('Maria\u000bSilva')
  await page.getByLabel('Nome impresso no cartão').fill('MARIA\u0007SILVA')
  await page.getByLabel('Nome do aluno').fill('Ana\u0085Silva')

  await getPayButton(page).click()
  await page.getByText('Esperamos você no sábado.').waitFor()

  expect(await answersOf(link.id)).toEqual(['Ana Silva', 'M'])
})

test('the form with fields and an image is sound, on narrow screens and wide ones, light and dark', async () => {
  const link = await newLink({ title: 'Matrícula' })

  const found = await findBarriersEverywhere(testMerchant.newPage, {
    'the form': async ({ page }) => {
      await page.goto(link.url)
      await getPayButton(page).click()
      await page.locator('#problems li').first().waitFor()
    },
  })

  expect(found).toEqual([])
})
