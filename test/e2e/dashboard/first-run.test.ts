// From an empty database to a company with two people, one of them behind a second step.
import { readFile } from 'node:fs/promises'
import { TOTP } from 'otpauth'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../support/postgres/database.ts'
import { closeTabs, shareBrowser } from '../../support/processes/browser.ts'
import { type Service, startService } from '../../support/processes/service.ts'
import { DESKTOP, findAxeViolations, openTab, PHONE } from '../merchant.ts'

const { url } = await openDatabase()
const COLLEAGUE = 'bia@exemplo.com.br'
const PASSWORD = 'bolo de cenoura quentinho'
const STEP_MS = 30_000

let service: Service
let browser: Browser

beforeAll(async () => {
  service = await startService(url, { LOG_LEVEL: 'warn' })
  browser = await shareBrowser()
})
afterAll(async () => {
  await closeTabs()
  await service?.end()
})

const at = (path: string) => service.baseUrl + path
const newTab = (options: BrowserContextOptions) => openTab(browser, service.baseUrl, options)

/** Axe, and that nothing has to be scrolled sideways, in both colour schemes. */
async function lookAt(page: Page) {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await findAxeViolations(page)).map((line) => `${colorScheme}: ${line}`))
  }
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (wider > 0) found.push(`scrolls sideways by ${wider}px`)
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
