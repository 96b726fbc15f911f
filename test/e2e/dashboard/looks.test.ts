// Every page of the dashboard, in a company where people wrote the longest words and asked for the most money, and in
// one that has only just begun: found by following links from the menu on, so that a new page is looked at without being
// named here.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { createInvitation } from '../../../src/users/invitation.ts'
import { seedWorstData } from '../../support/dashboard/demo.ts'
import {
  DESKTOP,
  findAxeViolations,
  openBrowserMerchant,
  PAGE_LINKS,
  PHONE,
  WIDTHS,
} from '../merchant.ts'

type State = Exclude<BrowserContextOptions['storageState'], string | undefined>

const testMerchant = await openBrowserMerchant({ isAlone: true })

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
/** Parameters that make another page of it. */
const TELLING = ['por', 'verificar']
/** What people write in their rows is looked at in lists.test.ts. */
const LISTS = [
  ...['links', 'links/importar', 'transacoes', 'transacoes/contestacoes', 'clientes', 'chaves'],
  ...['integracoes', 'integracoes/entregas', 'integracoes/chamadas', 'equipe', 'registro'],
].map((name) => `/painel/${name}`)
/** Lists that lead from their first row to another page than the list as a whole does. */
const STATES = [
  ...['approved', 'partially_refunded', 'declined', 'charged_back', 'expired'].map(
    (status) => `/painel/transacoes?status=${status}`,
  ),
  '/painel/transacoes?verificar=sim',
  ...['open', 'lost'].map((status) => `/painel/transacoes/contestacoes?status=${status}`),
  ...['completed', 'expired', 'inactive'].map((status) => `/painel/links?status=${status}`),
  '/painel/integracoes/entregas?status=failed',
]
const REFUSED = ['/painel/nada', '/painel/links/nada/aqui']
/** What the walk must come by, else it has lost its way. */
const EXPECTED = [
  ...['/painel', '/painel/links', '/painel/links/:id', '/painel/links/:id/editar'],
  ...['/painel/links/novo', '/painel/transacoes', '/painel/transacoes/:id'],
  ...[
    '/painel/transacoes/:id/devolver',
    '/painel/transacoes/contestacoes',
    '/painel/clientes',
    '/painel/clientes/:id',
  ],
  ...['/painel/relatorios', '/painel/relatorios?por=link', '/painel/chaves', '/painel/conta'],
  ...['/painel/integracoes', '/painel/integracoes/entregas/:id', '/painel/recebimentos'],
  ...['/painel/equipe', '/painel/ajustes', '/painel/registro'],
]

let state: State
let at: (path: string) => string
let menu: string[]
let worst: { email: string; password: string }

beforeAll(async () => {
  worst = (await seedWorstData(testMerchant.db)).owner
  const { page, context, at: addressOf } = await testMerchant.signIn(undefined, worst)
  state = await context.storageState()
  at = addressOf
  menu = await hrefsIn(page, '.side-wide a')
}, 180_000)

function openTab(options: BrowserContextOptions = {}) {
  return testMerchant.newPage({ storageState: state, ...options })
}

function hrefsIn(page: Page, selector: string) {
  return page
    .locator(selector)
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
}

/** Which page it is: those of two links are one. */
function kindOf(href: string) {
  const { pathname, searchParams } = new URL(href, 'http://localhost')
  const told = TELLING.flatMap((name) =>
    searchParams.has(name) ? [`${name}=${searchParams.get(name)}`] : [],
  )
  return pathname.replace(UUID, ':id') + (told.length > 0 ? `?${told.join('&')}` : '')
}

const WIDE = { width: 1280, colorScheme: 'light' } as const
const NARROW = { width: 320, colorScheme: 'dark' } as const

/** What is wrong with the page that is open, at any width; axe sees it as said. */
async function flawsOf(page: Page, kind: string, axeSees: typeof WIDE | typeof NARROW) {
  await page.emulateMedia({ colorScheme: axeSees.colorScheme })
  const found = await headingFlaws(page)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const barriers = width === axeSees.width ? await findAxeViolations(page) : []
    if (!LISTS.includes(kind)) barriers.push(...(await findSpills(page)))
    barriers.push(...(await touchesOf(page)))
    found.push(...new Set(barriers.map((line) => `at ${width}px: ${line}`)))
  }
  return found
}

/** What is wider than the page, cut off by its place without a sign of it, or sticks out of its card. */
async function findSpills(page: Page) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const cut = await findCutPlaces(page)
  const stray = await findStrayWords(page)
  return [...(width > 0 ? [`the page is ${width}px too wide`] : []), ...cut, ...stray]
}

/** Dots at the end are a sign, and what scrolls is not cut. */
function findCutPlaces(page: Page) {
  const places = page.locator('body *:not(svg, svg *, input, .visually-hidden, .brand-view)')
  return places.evaluateAll((all) =>
    all
      .filter((place) => place.checkVisibility() && place.clientWidth > 1)
      .filter((place) => place.scrollWidth > place.clientWidth + 1)
      .filter((place) => {
        const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(place)
        const isSigned = textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
        return ['hidden', 'clip'].includes(overflowX) && !isSigned
      })
      .map(({ tagName, className }) => `${tagName} ${className} cuts off what it holds`),
  )
}

/** Words beyond the edge of what they stand in. */
function findStrayWords(page: Page) {
  return page.locator('.card, .stat, .notice, .side, main').evaluateAll((cards) => {
    const isElsewhere = (around: Element) =>
      around.closest('pre, textarea, .visually-hidden, .chart, .side-company, .table-wide')
    const isInDots = (around: Element | null): boolean =>
      around !== null &&
      (getComputedStyle(around).textOverflow === 'ellipsis' || isInDots(around.parentElement))
    const rightOf = (words: Node) => {
      const range = document.createRange()
      range.selectNodeContents(words)
      return range.getBoundingClientRect().right
    }
    return cards.flatMap((card) => {
      const edge = card.getBoundingClientRect().right + 1
      return [...card.querySelectorAll('*:not(script, style)')]
        .filter((around) => around.checkVisibility() && !isElsewhere(around))
        .filter((around) => !isInDots(around))
        .flatMap(({ childNodes }) => [...childNodes])
        .filter((node) => node.nodeType === Node.TEXT_NODE && rightOf(node) > edge)
        .map(({ textContent }) => `${textContent?.trim().slice(0, 20)} beyond ${card.className}`)
    })
  })
}

/** What is to be done or copied, right under the words about it. */
function touchesOf(page: Page) {
  return page.locator('main p + :is(.button, .copy, form):visible').evaluateAll((parts) =>
    parts.flatMap((part) => {
      const words = part.previousElementSibling!.getBoundingClientRect()
      const gap = part.getBoundingClientRect().top - words.bottom
      const isBeside = gap < -1
      return isBeside || gap >= 8 ? [] : [`${part.textContent.trim()} touches the words above`]
    }),
  )
}

/** One h1, and no level left out. */
async function headingFlaws(page: Page) {
  const levels = await page
    .locator(':is(h1, h2, h3, h4, h5, h6):visible')
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName[1])))
  const isSound =
    levels.filter((level) => level === 1).length === 1 &&
    levels.every((level, i) => level <= (levels[i - 1] ?? 0) + 1)
  return isSound ? [] : [`its headings are ${levels}`]
}

/** Looks at each page and at those that it leads to, each kind once. Answers which, and what is wrong. */
async function walk(page: Page, from: Map<string, string>) {
  const walked = new Map(from)
  const flaws: string[] = []
  let count = 0
  // A Map is walked on to what is added on the way.
  for (const [kind, href] of walked) {
    flaws.push(...(await visit(page, kind, href)))
    for (const link of await hrefsIn(page, PAGE_LINKS)) {
      if (!walked.has(kindOf(link))) walked.set(kindOf(link), link)
    }
    const found = await flawsOf(page, kind, count++ % 2 === 0 ? WIDE : NARROW)
    flaws.push(...found.map((flaw) => `${kind}: ${flaw}`))
  }
  return { kinds: [...walked.keys()], flaws }
}

async function visit(page: Page, kind: string, href: string) {
  const response = await page.goto(at(href))
  const isExpected = response!.status() === (REFUSED.includes(kind) ? 404 : 200)
  return isExpected ? [] : [`${kind}: answers ${response!.status()}`]
}

test('no page of the dashboard has a barrier, is wider than its screen, cuts off or says an error', async () => {
  const { page, wrong } = await testMerchant.signIn(undefined, worst)
  const from = new Map([...menu, ...REFUSED].map((href) => [kindOf(href), href]))
  for (const list of STATES) {
    await page.goto(at(list))
    const [first] = await hrefsIn(page, 'main tbody a[href^="/painel"]')
    from.set(`the first of ${list}`, first!)
  }

  const { kinds, flaws } = await walk(page, from)

  expect([...flaws, ...wrong]).toEqual([])
  expect(kinds).toEqual(expect.arrayContaining(EXPECTED))
}, 600_000)

test('nor has one of the menu where a company has only just begun', async () => {
  const { page, wrong } = await testMerchant.signIn()
  const flaws: string[] = []

  for (const [i, href] of menu.entries()) {
    await page.goto(at(href))
    const found = await flawsOf(page, href, i % 2 === 0 ? WIDE : NARROW)
    flaws.push(...found.map((flaw) => `${href}: ${flaw}`))
  }

  expect([...flaws, ...wrong]).toEqual([])
})

async function listWaysIn() {
  const { db } = testMerchant
  const { rows } = await db.execute<{ company_id: string }>(
    sql`select company_id from users where email = ${worst.email}`,
  )
  const invitation = { email: `x${worst.email}`, invitedBy: worst.email, role: 'member' as const }
  const companyId = rows[0]!.company_id
  const { token } = await createInvitation(db, { companyId, ...invitation }, new Date())
  return ['/painel/entrar', '/painel/senha', '/painel/senha/nada', `/painel/convite/${token}`]
}

test('nor has any way in to the dashboard', async () => {
  const { page, wrong } = await testMerchant.newPage(DESKTOP)
  const { at } = await testMerchant.signIn(undefined, worst)
  const flaws: string[] = []

  for (const path of await listWaysIn()) {
    await page.goto(at(path))
    flaws.push(...(await flawsOf(page, path, NARROW)).map((flaw) => `${path}: ${flaw}`))
  }

  expect([...flaws, ...wrong]).toEqual([])
})

test('nor has what asks once more who somebody is', async () => {
  const { page, at, wrong } = await testMerchant.signIn(undefined, worst)
  await testMerchant.db.execute(sql`update sessions set confirmed_at = 'epoch'`)
  await page.goto(at('/painel/equipe/convidar'))
  await page.getByText('Confirme que é você').first().waitFor()

  expect(await flawsOf(page, '', NARROW)).toEqual([])
  expect(wrong).toEqual([])
})

/** Whether a form has no button, even with all that it folds opened. That of the rows shows once some are chosen. */
async function hasDeadForm(page: Page) {
  const rows = page.locator('tbody input[type=checkbox]')
  if (await rows.count()) await rows.first().check()
  await page
    .locator('main details')
    .evaluateAll((folds) => folds.forEach((fold) => void fold.setAttribute('open', '')))
  for (const form of await page.locator('main form').all()) {
    if (!(await form.locator('button:visible').count())) return true
  }
  return false
}

test('every page of the menu works without JavaScript', async () => {
  const { page, wrong } = await openTab({ ...PHONE, javaScriptEnabled: false })
  const flaws: string[] = []

  for (const href of menu) {
    await page.goto(at(href))
    await page.locator('.side-menu summary').click()
    const current = page.locator('.side-menu a[aria-current="page"]:visible')
    if ((await current.getAttribute('href')) !== href) flaws.push(`${href} is not marked`)
    await page.locator('.side-menu summary').click()
    if (await page.locator('.needs-js:visible').count()) flaws.push(`${href} shows what needs it`)
    if (await hasDeadForm(page)) flaws.push(`${href}: a form to no end`)
  }

  expect([...flaws, ...wrong]).toEqual([])
})

test('the button of the menu stays under the finger that opened it, and closes it', async () => {
  const { page, wrong } = await openTab(PHONE)
  await page.goto(at('/painel'))
  const entries = page.locator('.side-menu nav')
  const box = (await page.locator('.side-menu summary').boundingBox())!
  const tap = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)

  await tap()
  expect(await entries.isVisible()).toBe(true)
  expect(await page.locator('.side-menu summary').boundingBox()).toEqual(box)
  await tap()

  expect(await entries.isVisible()).toBe(false)
  expect(wrong).toEqual([])
})

test('neither an amount of hundreds of thousands nor a word of a short name is broken on the narrowest phone', async () => {
  const phone = { viewport: { width: 320, height: 700 } }
  const { page, wrong } = await openTab(phone)
  const short = await testMerchant.signIn(phone)

  const words = await short.page.locator('.side-company').evaluate(({ firstChild: name }) =>
    [...name!.textContent!.matchAll(/\S+/g)]
      .filter(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(name!, index)
        range.setEnd(name!, index + word.length)
        return range.getClientRects().length > 1
      })
      .map(([word]) => word),
  )
  const amounts: string[] = []
  for (const path of ['', '/relatorios', '/relatorios/fechamento', '/recebimentos/calendario']) {
    await page.goto(at(`/painel${path}`))
    if (await hasBrokenAmount(page)) amounts.push(path)
  }

  expect([...words, ...amounts, ...wrong]).toEqual([])
})

test('on a phone tabs take one line, and a report two for each month of thousands', async () => {
  const { page, wrong } = await openTab(PHONE)
  await page.goto(at('/painel/ajustes'))
  const tabs = await page
    .locator('.tabs a')
    .evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top))
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(at('/painel/relatorios?por=mes&periodo=12-meses'))
  const rows = page.locator('.report-table tr:not(thead tr):visible')
  const high = await rows.evaluateAll((all) =>
    all.map((row) => {
      const [name, , received] = row.children
      if (row.closest('tbody')) name!.textContent = 'fevereiro de 2026'
      received!.textContent = 'R$\u00a088.888,88'
      return row.clientHeight
    }),
  )

  expect(new Set(tabs).size).toBe(1)
  expect(high.length).toBeGreaterThan(2)
  expect(high.filter((height) => height > 70)).toEqual([])
  expect(wrong).toEqual([])
})

test('on a phone the ways to receive that are not in use wait in a fold, and most of the preview', async () => {
  const { page, wrong } = await openTab({ ...PHONE, javaScriptEnabled: false })
  await page.goto(at('/painel/recebimentos'))
  const bank = page.getByRole('link', { name: 'Configurar Pix do seu banco' })
  const rows = page.locator('.terms-preview tbody tr:visible')

  const before = [await bank.isVisible(), await rows.count()]
  await page.getByText(/^Outras opções: Pix do seu banco/).click()
  await page.getByText('Todas as parcelas').click()
  const after = [await bank.isVisible(), await rows.count()]

  expect(before).toEqual([false, 3])
  expect(after).toEqual([true, 12])
  expect(wrong).toEqual([])
})

test('on a phone a payment says whole why it is contested', async () => {
  const { page } = await openTab(PHONE)
  await page.goto(at('/painel/transacoes/contestacoes?status=open'))
  await page.locator('main tbody .row-link').first().click()
  const cells = page
    .getByRole('table', { name: 'Contestações deste pagamento' })
    .locator('td:visible')

  const cut = await cells.evaluateAll((all) =>
    all.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
  )

  expect(cut).toEqual([])
})

/** Whether a sum would need a second line, were it that high. */
function hasBrokenAmount(page: Page) {
  return page.locator('.stat-value:not(.stat-long)').evaluateAll((places) =>
    places.some((place) => {
      place.textContent = 'R$\u00a0888.888,88'
      const range = document.createRange()
      range.selectNodeContents(place)
      return range.getClientRects().length > 1
    }),
  )
}
