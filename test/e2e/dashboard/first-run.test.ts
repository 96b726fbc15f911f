// From an empty database to a company with a link that is paid for real and two people, one behind a second step.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TOTP } from 'otpauth'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../support/postgres/database.ts'
import { closeTabs, shareBrowser } from '../../support/processes/browser.ts'
import { type Service, startService } from '../../support/processes/service.ts'
import { DESKTOP, fillPayer, findPageBarriers, getPayButton, openTab, PHONE } from '../merchant.ts'

const { db, url } = await openDatabase()
const COLLEAGUE = 'bia@exemplo.com.br'
const PASSWORD = 'bolo de cenoura quentinho'
const STEP_MS = 30_000

const receiver = createServer(async (request, response) => {
  await request.toArray()
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`

let service: Service
let browser: Browser

beforeAll(async () => {
  service = await startService(url, { LOG_LEVEL: 'warn', WEBHOOK_ALLOW_PRIVATE: 'true' })
  browser = await shareBrowser()
})
afterAll(async () => {
  await closeTabs()
  await service?.end()
  receiver.close()
})

const at = (path: string) => service.baseUrl + path
const newTab = (options: BrowserContextOptions) => openTab(browser, service.baseUrl, options)

async function lookAt(page: Page) {
  const found = await findPageBarriers(page)
  return found.map((line) => `${new URL(page.url()).pathname}: ${line}`)
}

async function signIn(page: Page, code: string) {
  await page.goto(at('/painel/entrar'))
  await page.getByLabel('E-mail').fill(COLLEAGUE)
  await page.getByLabel('Senha').fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByLabel('Código').fill(code)
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await page.waitForURL('**/painel')
}

// One after another: an installation has one first run.
type Tab = Awaited<ReturnType<typeof openTab>>
let owner: Tab
let colleague: Tab

test('the first owner comes in by the code that the service printed', async () => {
  owner = await newTab(DESKTOP)
  const { page, wrong } = owner
  const code = service.lines.join('\n').match(/Set-up code of the first owner: (\S+)/)![1]!

  await page.goto(at('/painel'))
  await page.waitForURL('**/configurar')
  const found = await lookAt(page)
  await page.getByLabel('Código de configuração').fill(code)
  await page.getByLabel('Nome da empresa').fill('Padaria do Zé')
  await page.getByLabel('Seu e-mail').fill('ze@exemplo.com.br')
  await page.getByLabel('Sua senha').fill(PASSWORD)
  await page.getByRole('button', { name: 'Começar' }).click()
  const key = await page.getByLabel('Primeira chave de API').inputValue()
  found.push(...(await lookAt(page)))
  await page.getByRole('link', { name: 'Ir para o painel' }).click()
  await page.getByRole('heading', { name: 'Início', level: 1 }).waitFor()

  expect(key).toMatch(/^sk_live_/)
  expect({ found, wrong }).toEqual({ found: [], wrong: [] })
})

test('the owner follows the first steps by the keyboard, up to a real link', async () => {
  const { page, context, wrong } = owner
  const done: number[] = []
  const look = async () => {
    await page.goto(at('/painel'))
    done.push(await page.locator('.first-steps .is-done').count())
  }
  const open = async (name: string) => {
    // They are folded once somebody has paid.
    const folded = page.locator('.first-steps:not([open]) > summary')
    if (await folded.count()) await folded.press('Enter')
    await page.locator('.first-steps').getByText(name, { exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.waitForLoadState()
  }

  await look()
  const barriers = await lookAt(page)
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
  barriers.push(...(await lookAt(page)))

  expect(done).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 0])
  expect(inReal).toBe(0)
  expect(barriers).toEqual([])
  expect(wrong).toEqual([])
})

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

test('a colleague comes in by an invitation, in another browser and without JavaScript', async () => {
  const { page } = owner
  colleague = await newTab({ ...PHONE, javaScriptEnabled: false })

  await page.getByRole('link', { name: 'Ajustes' }).click()
  await page.getByRole('link', { name: 'Equipe' }).click()
  await page.getByRole('link', { name: 'Convidar pessoa' }).click()
  const found = await lookAt(page)
  await page.getByLabel('E-mail').fill(COLLEAGUE)
  await page.getByRole('radio', { name: /^Membro/ }).check()
  await page.getByRole('button', { name: 'Criar convite' }).click()
  const invitation = await page.getByLabel('Link do convite').inputValue()
  found.push(...(await lookAt(page)))
  await colleague.page.goto(invitation)
  await colleague.page.getByLabel('Crie a sua senha').fill(PASSWORD)
  await colleague.page.getByRole('button', { name: 'Aceitar convite e entrar' }).click()
  await colleague.page.getByRole('heading', { name: 'Início', level: 1 }).waitFor()
  const refused = await colleague.page.goto(at('/painel/equipe'))
  const again = await colleague.page.goto(invitation)
  await page.goto(at('/painel/equipe'))
  found.push(...(await lookAt(page)))

  expect(await page.getByRole('row', { name: COLLEAGUE }).textContent()).toContain('Membro')
  expect([refused!.status(), again!.status()]).toEqual([403, 410])
  expect({ found, wrong: owner.wrong }).toEqual({ found: [], wrong: [] })
})

test('the second step is set up and asked for, and without the phone a recovery code lets in', async () => {
  const { page } = colleague
  const [other, lost] = [await newTab(PHONE), await newTab(PHONE)]

  await page.goto(at('/painel/conta'))
  await page.getByRole('button', { name: 'Ativar' }).click()
  const secret = (await page.getByLabel('Chave').inputValue()).replaceAll(' ', '')
  const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp })
  await page.getByLabel('Código de 6 dígitos').fill(codeAt(Date.now()))
  await page.getByRole('button', { name: 'Ativar' }).click()
  const codes = (await page.getByLabel('Seus códigos').inputValue()).split('\n')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Baixar como texto' }).click(),
  ])
  const file = await readFile(await download.path(), 'utf8')
  // The code that set it up is used up, so the app's next one is given.
  await signIn(other.page, codeAt(Date.now() + STEP_MS))
  await other.page.goto(at('/painel/conta'))
  const found = await lookAt(other.page)
  await signIn(lost.page, codes[0]!)
  await owner.page.goto(at('/painel/registro'))
  found.push(...(await lookAt(owner.page)))

  expect(codes).toHaveLength(10)
  expect(codes.filter((code) => !file.includes(code))).toEqual([])
  expect(await other.page.getByRole('row', { name: /Chrome/ }).count()).toBe(2)
  const log = await owner.page.getByRole('table').textContent()
  expect(log).toContain('Ativou a verificação em duas etapas')
  const wrong = [owner, other, lost].flatMap((tab) => tab.wrong)
  expect({ found, wrong }).toEqual({ found: [], wrong: [] })
})
