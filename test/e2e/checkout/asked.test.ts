// What a link asks beside the payer's data, as payers answer it.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import { fillCard, fillPayer, getPayButton, openBrowserMerchant } from '../merchant.ts'

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

const newLink = () => testMerchant.newLink(ASKED)

async function answersOf(linkId: string) {
  const [row] = await testMerchant.db
    .select()
    .from(transactions)
    .where(eq(transactions.paymentLinkId, linkId))
  return row?.customFields?.map(({ value }) => value)
}

test('with JavaScript what is wrong is said before anything is sent, at each field', async () => {
  const link = await newLink()
  const { page, wrong } = await testMerchant.newPage()
  let posts = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/payments')) posts++
  })

  await page.goto(link.url)
  await fillPayer(page)
  await page.getByLabel('Peso em kg').fill('doze')
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

test('letters that show nothing are pointed at on the page, where the card stays typed', async () => {
  const link = await newLink()
  const page = await openFilledForm(link.url)
  const problems = page.locator('#problems')

  await page.getByLabel('Nome do aluno').fill('\u200b\u2060')
  await page.getByLabel('Nome completo').fill('\u3164\u3164\u3164')
  await getPayButton(page).click()
  for (const name of ['Preencha o campo', 'Informe seu nome'])
    await problems.getByRole('link', { name }).waitFor()

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
