// What a developer does at the dashboard: a key made, used and revoked; a webhook that fails, understood,
// mended and sent once more.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { fillPayer, getPayButton, openBrowserMerchant } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

/** The developer's own server, which is broken until it is mended. */
const server = { isMended: false, hits: [] as string[] }
const receiver = createServer(async (request, response) => {
  server.hits.push(String(request.headers['webhook-id']))
  await request.toArray()
  response.writeHead(server.isMended ? 204 : 500).end(server.isMended ? '' : 'erro no banco')
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`

afterAll(() => receiver.close())

/** Answers its id. */
async function addEndpoint(page: Page, at: (path: string) => string) {
  await page.goto(at('/painel/integracoes/novo'))
  await page.getByLabel('Endereço').fill(url)
  await page.getByRole('button', { name: 'Criar endpoint' }).click()
  await page.getByText('Endpoint criado.').waitFor()
  return new URL(page.url()).pathname.split('/').at(-1)
}

test('a key is made, used from the command that is shown, and revoked', async () => {
  const { page, wrong, at } = await testMerchant.signIn()
  const links = at('/api/payment-links')

  await page.goto(at('/painel/chaves'))
  await page.getByRole('link', { name: 'Nova chave' }).first().click()
  await page.getByLabel('Nome').fill('Loja virtual')
  await page.getByLabel('Só o que você escolher').check()
  await page.getByLabel('Ver, criar e alterar links').check()
  await page.getByRole('button', { name: 'Criar chave' }).click()
  const key = await page.getByLabel('Chave de API').inputValue()
  const curl = await page.getByLabel('Experimente').inputValue()
  const headers = { authorization: `Bearer ${key}` }
  const used = await fetch(links, { headers })
  const beyond = await fetch(at('/api/customers'), { headers })
  await page.getByRole('link', { name: 'Já guardei a chave' }).click()
  const row = page.getByRole('row', { name: /Loja virtual/ })
  const listed = await row.textContent()
  await row.getByRole('link', { name: 'Revogar' }).click()
  // When it was used is written behind its requests.
  const readQuestion = async () => {
    await page.reload()
    return page.getByRole('main').textContent()
  }
  await expect.poll(readQuestion).toMatch(/Último uso: (hoje|ontem) \d\d:\d\d/)
  await page.getByRole('button', { name: 'Revogar' }).click()
  await page.getByText('Chave revogada.').waitFor()

  expect([used.status, beyond.status]).toEqual([200, 403])
  expect(curl).toContain(`curl ${links} `)
  expect(listed).toContain(`sk_live_••••${key.slice(-4)}`)
  await expect.poll(async () => (await fetch(links, { headers })).status).toBe(401)
  expect(wrong).toEqual([])
})

test('a webhook that fails is understood and sent again', async () => {
  const { page, wrong, at } = await testMerchant.signIn()
  Object.assign(server, { isMended: false, hits: [] })
  const endpoint = await addEndpoint(page, at)
  const link = await testMerchant.newLink({
    methods: ['pix'],
    maxInstallments: 1,
    interestMode: 'absorb',
  })
  const payer = await testMerchant.newPage()

  await payer.page.goto(link.url)
  await fillPayer(payer.page)
  await getPayButton(payer.page).click()
  await payer.page.getByRole('button', { name: 'Simular pagamento' }).click()
  await payer.page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()
  await expect.poll(() => server.hits.length).toBeGreaterThan(0)
  await expect
    .poll(async () => {
      await page.goto(at(`/painel/integracoes/entregas?status=failed&endpoint=${endpoint}`))
      return page.getByRole('row', { name: /O destino respondeu HTTP 500/ }).count()
    })
    .toBe(1)
  await page.getByRole('link', { name: 'Pagamento aprovado' }).click()
  const told = await page.getByRole('main').textContent()
  server.isMended = true
  const resend = page.getByRole('button', { name: 'Reenviar' })
  await resend.click()
  await page.getByText('Entregue', { exact: true }).waitFor()

  expect(told).toContain('Seu sistema falhou. Procure o erro no log dele')
  expect(told).toContain('erro no banco')
  expect(new Set(server.hits).size).toBe(1)
  expect(await page.getByText('HTTP 204').first().isVisible()).toBe(true)
  expect(wrong).toEqual([])
})

test('a test event shows what the server answered, and the secret is there to be copied', async () => {
  const { page, context, wrong, at } = await testMerchant.signIn()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  server.isMended = false
  await addEndpoint(page, at)

  await page.getByRole('button', { name: 'Revelar' }).click()
  await page.getByRole('button', { name: 'Copiar' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  await page.getByLabel('Evento').selectOption('transaction.refunded')
  await page.getByRole('button', { name: 'Enviar evento de teste' }).click()
  await page.getByText('1ª tentativa').first().waitFor()
  const told = await page.getByRole('main').textContent()

  expect(copied).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(told).toContain('1ª tentativa · HTTP 500')
  expect(told).toContain('erro no banco')
  expect(wrong).toEqual([])
})
