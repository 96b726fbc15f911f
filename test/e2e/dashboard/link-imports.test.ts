// A file of links as a company uploads it: checked, confirmed, taken away.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBarriersEverywhere, openBrowserMerchant } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

async function upload(page: Page, content: string) {
  await page.getByLabel('Arquivo CSV').setInputFiles({
    name: 'mensalidades.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(content),
  })
  await page.getByRole('button', { name: 'Conferir arquivo' }).click()
}

const buildFile = (count: number, more = '') =>
  `titulo;valor;cliente_nome;cliente_email\n${Array.from({ length: count }, (_, i) => `Aluno ${i + 1} A;450,00;Aluno ${i + 1};a${i + 1}@exemplo.com.br`).join('\n')}\n${more}`

test('a file is uploaded, confirmed and made', async () => {
  const { page, wrong, at } = await testMerchant.signIn()

  await page.goto(at('/painel/links'))
  await page.getByRole('link', { name: /^Importar/ }).click()
  await upload(page, buildFile(200, ';dez;;'))
  await page.getByRole('heading', { name: 'Nada foi criado ainda' }).waitFor()
  const faults = await page.getByRole('row', { name: /Linha 202/ }).textContent()
  await page.getByRole('button', { name: 'Criar 200 links' }).click()
  await page.getByText('Os links do arquivo foram criados.').waitFor()
  const first = await page
    .getByRole('row', { name: /Aluno 1 / })
    .first()
    .textContent()
  await page.goBack()
  await page.getByRole('heading', { name: 'Nada foi criado ainda' }).waitFor()
  await page.goForward()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ])
  const csv = readFileSync(await download.path(), 'utf8')

  expect(faults).toMatch(/titulo\s+Dê um título[\s\S]*valor\s+Informe um valor em reais/)
  expect(first).toContain('R$')
  expect(csv.match(/http:\/\/localhost:\d+\/pagar\/\w{10};/g)).toHaveLength(200)
  expect(wrong).toEqual([])
})

test('a wrong file is refused where it was chosen, and the pages are for everybody', async () => {
  const owner = await testMerchant.signIn()
  const { page, at } = owner
  await page.goto(at('/painel/links/importar'))

  await upload(page, 'titulo;cor\nAula;50')
  const sentences = await page.locator('#arquivo ~ .field-error, .field-error').allTextContents()
  const barriers = await findBarriersEverywhere((options) => testMerchant.signIn(options, owner), {
    'the check': async (tab) => {
      await tab.page.goto(at('/painel/links/importar'))
      await upload(tab.page, buildFile(3, ';dez;;'))
      await tab.page.getByRole('heading', { name: 'Nada foi criado ainda' }).waitFor()
    },
    'the upload': (tab) => tab.page.goto(at('/painel/links/importar')),
  })

  expect(sentences.join(' ')).toContain('Não conhecemos a coluna "cor"')
  expect(barriers).toEqual([])
})
