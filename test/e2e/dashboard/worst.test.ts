// Every page that is no list, in a company where people wrote the longest words and asked for the most money:
// nothing makes a page wider than its screen, and nothing is cut off or sticks out.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { createInvitation } from '../../../src/users/invitation.ts'
import { seedWorstData } from '../../support/dashboard/demo.ts'
import { findHtmlFaults } from '../../support/html-faults.ts'
import { DESKTOP, findAxeViolations, openBrowserMerchant, PAGE_LINKS } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

const WIDTHS = [320, 390, 768, 1024, 1280]
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
/** They have tests of their own. */
const LISTS = [
  ...['links', 'links/importar', 'transacoes', 'transacoes/contestacoes', 'clientes', 'chaves'],
  ...['integracoes', 'integracoes/entregas', 'integracoes/chamadas', 'equipe', 'registro'],
].map((name) => `/painel/${name}`)
/** Lists whose first row is another page than that of the list as a whole. */
const STATES = [
  ...['partially_refunded', 'declined', 'charged_back', 'expired'].map(
    (status) => `/painel/transacoes?status=${status}`,
  ),
  '/painel/transacoes?verificar=sim',
  ...['completed', 'expired', 'inactive'].map((status) => `/painel/links?status=${status}`),
  '/painel/integracoes/entregas?status=failed',
]
const REFUSED = ['/painel/nada', '/painel/links/nada/aqui']

let owner: { email: string; password: string }

beforeAll(async () => {
  owner = (await seedWorstData(testMerchant.db)).owner
}, 90_000)

function readHrefs(page: Page, selector: string) {
  return page
    .locator(selector)
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
}

/** Which page it is: those of two links are one. */
function kindOf(href: string) {
  const { pathname, searchParams } = new URL(href, 'http://localhost')
  const by = searchParams.get('por')
  return pathname.replace(UUID, ':id') + (by ? `?por=${by}` : '')
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
    const rightOf = (words: Node) => {
      const range = document.createRange()
      range.selectNodeContents(words)
      return range.getBoundingClientRect().right
    }
    return cards.flatMap((card) => {
      const edge = card.getBoundingClientRect().right + 1
      return [...card.querySelectorAll('*:not(script, style)')]
        .filter((around) => around.checkVisibility() && !isElsewhere(around))
        .filter((around) => getComputedStyle(around).textOverflow !== 'ellipsis')
        .flatMap(({ childNodes }) => [...childNodes])
        .filter((node) => node.nodeType === Node.TEXT_NODE && rightOf(node) > edge)
        .map(({ textContent }) => `${textContent?.trim().slice(0, 20)} beyond ${card.className}`)
    })
  })
}

async function findFlaws(page: Page) {
  const found: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const colorScheme = width < 1024 ? 'dark' : 'light'
    await page.emulateMedia({ colorScheme })
    const isEdge = width === WIDTHS[0] || width === WIDTHS.at(-1)
    const barriers = isEdge ? await findAxeViolations(page) : []
    barriers.push(...(await findSpills(page)))
    found.push(...new Set(barriers.map((line) => `at ${width}px, ${colorScheme}: ${line}`)))
  }
  return found
}

test('no page that is no list is wider than its screen, cuts anything off or has a barrier', async () => {
  const { page, at, wrong } = await testMerchant.signIn(undefined, owner)
  const menu = await readHrefs(page, '.side-wide a')
  const walked = new Map([...menu, ...REFUSED].map((href) => [kindOf(href), href]))
  for (const list of STATES) {
    await page.goto(at(list))
    const [first] = await readHrefs(page, 'main tbody a[href^="/painel"]')
    walked.set(`the first of ${list}`, first!)
  }
  const flaws: string[] = []

  // A Map is walked on to what is added on the way.
  for (const [kind, href] of walked) {
    const response = await page.goto(at(href))
    flaws.push(...findHtmlFaults(kind, await response!.text()))
    for (const link of await readHrefs(page, PAGE_LINKS)) {
      if (!walked.has(kindOf(link))) walked.set(kindOf(link), link)
    }
    if (LISTS.includes(kind)) continue
    flaws.push(...(await findFlaws(page)).map((flaw) => `${kind}: ${flaw}`))
  }

  expect([...flaws, ...wrong]).toEqual([])
  expect(walked.size).toBeGreaterThan(50)
}, 600_000)

async function listWaysIn() {
  const { db } = testMerchant
  const { rows } = await db.execute<{ company_id: string }>(
    sql`select company_id from users where email = ${owner.email}`,
  )
  const invitation = { email: `x${owner.email}`, invitedBy: owner.email, role: 'member' as const }
  const companyId = rows[0]!.company_id
  const { token } = await createInvitation(db, { companyId, ...invitation }, new Date())
  return ['/painel/entrar', '/painel/senha', '/painel/senha/nada', `/painel/convite/${token}`]
}

test('no way in to the dashboard does either', async () => {
  const { page, wrong } = await testMerchant.newPage(DESKTOP)
  const { at } = await testMerchant.signIn(undefined, owner)
  const flaws: string[] = []

  for (const path of await listWaysIn()) {
    await page.goto(at(path))
    flaws.push(...(await findFlaws(page)).map((flaw) => `${path}: ${flaw}`))
  }

  expect([...flaws, ...wrong]).toEqual([])
})

test('nor does what asks once more who somebody is', async () => {
  const { page, at, wrong } = await testMerchant.signIn(undefined, owner)
  await testMerchant.db.execute(sql`update sessions set confirmed_at = null`)
  await page.goto(at('/painel/equipe/convidar'))
  await page.getByText('Confirme que é você').first().waitFor()

  expect(await findFlaws(page)).toEqual([])
  expect(wrong).toEqual([])
})
