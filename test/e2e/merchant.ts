// A shop with a browser before it: the real service, a browser of the machine, and a payer.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type Axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { createCompany, updateCompany } from '../../src/companies/company.ts'
import { eq } from '../../src/database/drizzle.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { companies } from '../../src/database/tables.ts'
import { memoizeValue } from '../../src/record.ts'
import { createUser } from '../../src/users/user.ts'
import { createDatabase } from '../support/postgres/database.ts'
import { closeTabs, shareBrowser } from '../support/processes/browser.ts'
import { SECRET_KEY, startService } from '../support/processes/service.ts'

/** A phone as WhatsApp opens a link on it. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
}

/** Of the dashboard, where a page opens and no file comes. */
export const PAGE_LINKS =
  'main a[href^="/painel"]:not([href*=".csv"], [href*=".xlsx"], [href*="/qr."], [href$=".html"])'

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }

type Options = {
  /** Starts a browser of this file's own. */
  launch?: () => Promise<Browser>
  /** Starts a service on a database of this file's own, for tests that write to all companies. */
  isAlone?: boolean
}

/** A company of this file's own. */
export async function openBrowserMerchant({ launch, isAlone = false }: Options = {}) {
  const { db, service } = await (isAlone ? openService() : shareService())
  const { real, test: company } = await createCompany(
    db,
    createCipher(Buffer.from(SECRET_KEY, 'base64')),
    {
      name: 'Escola Vila Nova',
      taxId: '12ABC34501DE35',
    },
  )
  // As where a mail server is set up.
  await updateCompany(db, real.id, { payerEmail: 'required' }, new Date())
  const { key } = await issueApiKey(db, company.id, 'Loja')
  let browser: Promise<Browser> | undefined

  async function newOwner() {
    const email = `${randomBytes(6).toString('hex')}@exemplo.com.br`
    const password = 'bolo de cenoura quentinho'
    await createUser(db, { companyId: real.id, email, password, role: 'owner' })
    return { email, password }
  }

  afterAll(async () => {
    await (launch ? (await browser)?.close() : closeTabs())
    if (isAlone) await service.end()
  })

  return {
    db,
    company,
    async newLink(fields: object = {}): Promise<{ id: string; slug: string; url: string }> {
      const response = await fetch(`${service.baseUrl}/api/payment-links`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          title: 'Matrícula 2027',
          amountCents: 10_000,
          methods: ['pix', 'credit_card'],
          maxInstallments: 12,
          interestMode: 'pass_to_customer',
          ...fields,
        }),
      })
      expect(response.status).toBe(201)
      return (await response.json()) as { id: string; slug: string; url: string }
    },
    /** A tab of somebody who has just signed in to the dashboard: a new owner, or the one named. */
    async signIn(
      options: BrowserContextOptions = DESKTOP,
      known?: { email: string; password: string },
    ) {
      const { email, password } = known ?? (await newOwner())
      const tab = await this.newPage(options)
      await tab.page.goto(`${service.baseUrl}/painel/entrar`)
      await tab.page.getByLabel('E-mail').fill(email)
      await tab.page.getByLabel('Senha').fill(password)
      await tab.page.getByRole('button', { name: 'Entrar' }).click()
      await tab.page.waitForURL('**/painel')
      return { ...tab, email, password, at: (path: string) => service.baseUrl + path }
    },
    async change(settings: Partial<typeof companies.$inferInsert>) {
      await db.update(companies).set(settings).where(eq(companies.id, company.id))
    },
    /** A tab of its own browser profile; what goes wrong in it is in `wrong`. */
    async newPage(options: BrowserContextOptions = PHONE) {
      browser ??= launch ? launch() : shareBrowser()
      return openTab(await browser, service.baseUrl, options)
    },
  }
}

async function openService() {
  const { db, url } = await createDatabase()
  const service = await startService(url, { LOG_LEVEL: 'warn', WEBHOOK_ALLOW_PRIVATE: 'true' })
  return { db, service }
}

/** The service of this worker, for one test file after the other. */
const shareService = memoizeValue(openService)

/** A tab of its own browser profile; what goes wrong in it is in `wrong`. */
export async function openTab(browser: Browser, baseUrl: string, options: BrowserContextOptions) {
  const context = await browser.newContext({ locale: 'pt-BR', ...options })
  const page = await context.newPage()
  return { page, context, wrong: watchErrors(page, baseUrl) }
}

/** Collects what a console shows in red, what a page threw, and every request to another origin. */
function watchErrors(page: Page, baseUrl: string) {
  const wrong: string[] = []
  page.on('console', (message) => {
    // A refused form is a 4xx, which Chromium reports as if a file were missing.
    const expected = /status of (409|410|422|404)/.test(message.text())
    if (message.type() === 'error' && !expected) wrong.push(message.text())
  })
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== baseUrl) wrong.push(`request to ${origin}`)
  })
  return wrong
}

export async function fillPayer(page: Page) {
  await page.getByLabel('Nome completo').fill('Maria Silva')
  await page.getByLabel('CPF ou CNPJ').fill('52998224725')
  await page.getByLabel('E-mail').fill('maria@example.com')
}

export async function fillCard(page: Page, number: string) {
  await page.getByText('Cartão de crédito').click()
  await page.getByLabel('Número do cartão').pressSequentially(number)
  await page.getByLabel('Nome impresso no cartão').fill('MARIA SILVA')
  await page.getByLabel('Validade').pressSequentially('730')
  await page.getByLabel('Código de segurança').fill('123')
}

/** All that is asked filled in, and paid by this card. */
export async function payByCard(page: Page, number: string) {
  await fillPayer(page)
  await fillCard(page, number)
  await getPayButton(page).click()
}

export function getPayButton(page: Page) {
  return page.getByRole('button', { name: /^Pagar/ })
}

type BrowserTab = Awaited<ReturnType<typeof openTab>>

const LOOKS = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

/** The widths at which each page of the dashboard is measured; the nightly suite adds those between. */
export const WIDTHS = (process.env.LOOKED_AT_WIDTHS ?? '320,1280').split(',').map(Number)

/** What is wrong with pages, narrow in light and wide in dark, each time in one tab for all of them. */
export async function findBarriersEverywhere<T extends BrowserTab>(
  open: (options: BrowserContextOptions) => Promise<T>,
  pages: Record<string, (tab: T) => Promise<unknown>>,
): Promise<string[]> {
  const found: string[] = []
  for (const { width, colorScheme } of LOOKS) {
    const tab = await open({ viewport: { width, height: 800 }, colorScheme })
    for (const [name, visit] of Object.entries(pages)) {
      await visit(tab)
      const seen = await findPageBarriers(tab.page)
      found.push(...seen.map((line) => `${name} at ${width}px: ${line}`))
    }
    found.push(...tab.wrong)
    await tab.context.close()
  }
  return found
}

/** What axe finds, and whether the page scrolls sideways. */
export async function findPageBarriers(page: Page): Promise<string[]> {
  const found = await findAxeViolations(page)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return overflow > 0 ? [...found, `scrolls sideways by ${overflow}px`] : found
}

/** What axe finds wrong with the page as it stands, one line a rule. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  // It takes as long to be read as to look at a page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof Axe }
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}
