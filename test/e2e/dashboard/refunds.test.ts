// A payment as its company sees it: found, given back in part and then whole, its history told.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, fillPayer, getPayButton, openBrowserMerchant, PHONE } from '../merchant.ts'

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

async function giveBack(page: Page, amount: RegExp) {
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('heading', { name: 'Conferir a devolução' }).waitFor()
  await page.getByRole('button', { name: amount }).click()
  await page.getByText('Valor devolvido.').waitFor()
}

test.each([
  ['with', true],
  ['without', false],
])(
  'a payment is found, paid in test, given back in part and then whole, %s JavaScript',
  async (_, javaScriptEnabled) => {
    const tag = `tag-${javaScriptEnabled}`
    await newPayment(tag)
    await newPayment('outra')
    const { page, wrong, at } = await testMerchant.signIn({ ...DESKTOP, javaScriptEnabled })

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
    await giveBack(page, /Devolver R\$\s30,00/)
    const inPart = await page.getByText('Devolvido em parte').isVisible()
    await page.getByRole('link', { name: 'Devolver' }).click()
    const left = await page.getByLabel('Valor a devolver').inputValue()
    await giveBack(page, /Devolver R\$\s70,00/)

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
  },
)

test('a click that comes twice gives back once', async () => {
  await newPayment('duas-vezes')
  const { page, at } = await testMerchant.signIn()
  await page.goto(at('/painel/transacoes?tag=duas-vezes'))
  await page.getByRole('link', { name: 'Maria Silva' }).click()
  await page.getByRole('button', { name: 'Simular pagamento' }).click()
  await page.getByRole('link', { name: 'Devolver' }).click()
  await page.getByLabel('Valor a devolver').fill('10')
  await page.getByRole('button', { name: 'Continuar' }).click()

  await page.getByRole('button', { name: /Devolver R\$\s10,00/ }).dblclick()
  await page.getByText('Valor devolvido.').waitFor()

  expect(await page.getByText(/R\$\s10,00 concluída/).count()).toBe(1)
  expect(
    await page
      .getByText(/Depois das devoluções/)
      .locator('..')
      .textContent(),
  ).toMatch(/R\$\s90,00/)
})
