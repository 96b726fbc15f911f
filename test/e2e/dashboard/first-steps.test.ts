// A new owner follows the first steps from an empty database to a link that is paid for real.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../support/postgres/database.ts'
import { closeTabs, shareBrowser } from '../../support/processes/browser.ts'
import { type Service, startService } from '../../support/processes/service.ts'
import { DESKTOP, fillPayer, findPageBarriers, getPayButton, openTab, PHONE } from '../merchant.ts'

const EMAIL = 'ze@exemplo.com.br'
const PASSWORD = 'bolo de cenoura quentinho'

const receiver = createServer(async (request, response) => {
  await request.toArray()
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})
afterAll(async () => {
  await closeTabs()
  receiver.close()
})

test.each([
  ['on a phone, without JavaScript', { ...PHONE, javaScriptEnabled: false }],
  ['on a desk, by the keyboard where that is enough', DESKTOP],
])('from the set-up code to the first real link, %s', async (_where, options) => {
  const { db, url } = await openDatabase()
  const service = await startService(url, {
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  const { page, context, wrong } = await openTab(browser, service.baseUrl, options)
  const hasScripts = options.javaScriptEnabled !== false
  const barriers: string[] = []
  const done: number[] = []
  const look = async () => {
    await page.goto(`${service.baseUrl}/painel`)
    done.push(await page.locator('.first-steps .is-done').count())
    if (hasScripts) barriers.push(...(await findPageBarriers(page)))
  }
  const open = async (name: string) => {
    const button = page.locator('.first-steps').getByText(name, { exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.waitForLoadState()
  }

  await setUp(page, service)
  await look()
  await open('Escolher logotipo e cor')
  await page.locator('#color').fill('#0F6B50')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('Ajustes salvos.').waitFor()
  await look()
  await open('Criar link de teste')
  await makeLink(page)
  await look()
  const [payer] = await Promise.all([context.waitForEvent('page'), open('Abrir e pagar')])
  await payTest(payer)
  await look()
  await open('Criar endpoint')
  await page.getByLabel('Endereço').fill(hook)
  await page.getByRole('button', { name: 'Criar endpoint' }).click()
  await page.getByText('Endpoint criado.').waitFor()
  await look()
  await open('Enviar evento de teste')
  await page.getByRole('button', { name: 'Enviar evento de teste' }).click()
  await page.getByText('Evento de teste enviado.').waitFor()
  await look()
  await open('Escolher quem recebe')
  await page.getByRole('heading', { name: 'Recebimentos', level: 1 }).waitFor()
  const inReal = await page.getByText('AMBIENTE DE TESTE').count()
  await look()
  // What a bank has to say to it is tried where accounts are.
  await db.$client.query("update companies set pix_provider = 'openpix' where test_of is null")
  await look()
  await open('Criar link real')
  await makeLink(page)
  await look()

  expect(done).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 0])
  expect(inReal).toBe(0)
  expect(barriers).toEqual([])
  expect(wrong).toEqual([])
  await service.end()
})

async function setUp(page: Page, { lines, baseUrl }: Service) {
  const [, code] = lines.join('\n').match(/Set-up code of the first owner: (\S+)/)!
  await page.goto(`${baseUrl}/painel`)
  await page.getByLabel('Código de configuração').fill(code!)
  await page.getByLabel('Nome da empresa').fill('Padaria do Zé')
  await page.getByLabel('Seu e-mail').fill(EMAIL)
  await page.getByLabel('Sua senha').fill(PASSWORD)
  await page.getByRole('button', { name: 'Começar' }).click()
  await page.getByRole('link', { name: 'Ir para o painel' }).waitFor()
  await page.getByRole('link', { name: 'Ir para o painel' }).click()
  await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor()
}

async function makeLink(page: Page) {
  await page.getByLabel('Título').fill('Bolo de cenoura')
  await page.locator('#amount').fill('19,90')
  await page.getByRole('button', { name: 'Criar link' }).click()
  await page.getByText('Link criado.').waitFor()
}

async function payTest(payer: Page) {
  await payer.waitForLoadState()
  await fillPayer(payer)
  await getPayButton(payer).click()
  await payer.waitForURL('**/payments/**')
  await payer.getByRole('button', { name: /Simular/ }).click()
  await payer.getByText('aprovado').first().waitFor()
  await payer.close()
}
