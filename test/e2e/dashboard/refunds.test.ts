// A payment as its company sees it: found, given back in part and then whole, its history told.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fillPayer, getPayButton, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

/** Somebody is about to pay a new link of R$ 100,00 by Pix. */
async function newPayment(tag: string) {
  const link = await testMerchant.newLink({ title: `Curso ${tag}`, tags: [tag] })
  const { page, context } = await testMerchant.newPage(PHONE)
  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Pague com Pix' }).waitFor()
  await context.close()
  return link
}

async function refundByForm(page: Page, amount: RegExp) {
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('heading', { name: 'Conferir a devolução' }).waitFor()
  // A click that comes twice gives back once.
  await page.getByRole('button', { name: amount }).dblclick()
  await page.getByText('Valor devolvido.').waitFor()
}

test('a payment is found, paid in test, given back in part and then whole', async () => {
  const tag = 'curso'
  await newPayment(tag)
  await newPayment('outra')
  const { page, wrong, at } = await testMerchant.signIn()

  await page.goto(at('/painel'))
  await page.getByRole('link', { name: 'Pagamentos' }).last().click()
  await page.getByText('Filtros').click()
  await page.getByLabel('Etiqueta').fill(tag)
  await page.getByRole('button', { name: 'Filtrar' }).click()
  await page.waitForURL(`**/painel/transacoes?*tag=${tag}*`)
  const rows = await page.getByRole('row').count()
  await page.getByRole('link', { name: 'Maria Silva' }).click()
  await page.getByRole('button', { name: 'Simular pagamento' }).click()
  await page.getByText('Pagamento simulado.').waitFor()

  await page.getByRole('link', { name: 'Devolver' }).click()
  const offered = await page.getByLabel('Valor a devolver').inputValue()
  await page.getByLabel('Valor a devolver').fill('30,00')
  await page.getByLabel('Motivo').fill('Uma aula a menos')
  await refundByForm(page, /Devolver R\$\s30,00/)
  const inPart = await page.getByText('Devolvido em parte').isVisible()
  await page.getByRole('link', { name: 'Devolver' }).click()
  const left = await page.getByLabel('Valor a devolver').inputValue()
  await refundByForm(page, /Devolver R\$\s70,00/)

  expect(rows).toBe(2)
  expect([offered, left]).toEqual(['100,00', '70,00'])
  expect(inPart).toBe(true)
  const told = await page.getByRole('region', { name: 'O que aconteceu' }).textContent()
  const order = ['iniciado por Pix', 'aprovado', '30,00 concluída', '70,00 concluída']
  const places = order.map((words) => told!.indexOf(words))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(-1)
  expect(await page.locator('.badge-neutral', { hasText: 'Devolvido' }).isVisible()).toBe(true)
  expect(await page.getByRole('link', { name: 'Devolver' }).count()).toBe(0)
  expect(wrong).toEqual([])
})
