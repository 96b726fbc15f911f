// Every list and chart of the dashboard with the worst that people may write, on screens of all widths: the amount,
// state and date of a row stay in sight, and a chart says what each column stands for.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { seedDashboardDemo } from '../../support/dashboard/demo.ts'
import { openBrowserMerchant, PHONE, WIDTHS } from '../merchant.ts'

type State = Exclude<BrowserContextOptions['storageState'], string | undefined>

const testMerchant = await openBrowserMerchant({ isAlone: true })
const { db } = testMerchant

const LISTS = [
  ...['', '?ordem=maior-valor', '?status=approved&tag=x', '?verificar=sim', '/contestacoes'].map(
    (rest) => `/painel/transacoes${rest}`,
  ),
  ...['', '?ordem=maior-valor', '?status=active'].map((rest) => `/painel/links${rest}`),
  ...['/painel/clientes', '/painel/chaves'],
  ...['', '/entregas', '/chamadas'].map((rest) => `/painel/integracoes${rest}`),
  ...['/painel/equipe', '/painel/registro', '/painel/conta'],
]
/** Those with pages of one thing that have a list of their own. */
const LISTS_OF_ONE = ['/painel/links', '/painel/clientes', '/painel/integracoes']
const HEIGHT = 800
const REPORTS = '/painel/relatorios'

let state: State
let at: (path: string) => string

beforeAll(async () => {
  const { owner, company } = await seedDashboardDemo(db, 'dona@solemar.example')
  await writeWorst(company.id)
  const { context, at: addressOf } = await testMerchant.signIn(undefined, owner)
  state = await context.storageState()
  at = addressOf
}, 90_000)

/** Every third row is as wide as it may be, so that narrow ones stand beside it. */
async function writeWorst(companyId: string) {
  const wide = (letter: string, count: number) => letter.repeat(count)
  const some = sql`company_id = ${companyId} and ctid in (
    select ctid from (select ctid, row_number() over (order by id desc) n from`
  const third = sql`where company_id = ${companyId}) numbered where n % 3 = 1)`
  await db.execute(sql`update transactions set payer_name = ${wide('W', 99)}, link_title = ${wide('M', 128)},
    total_cents = 20000000, amount_cents = 20000000, interest_cents = 0
    where ${some} transactions ${third} and refunded_cents = 0 and charged_back_cents = 0`)
  await db.execute(sql`update disputes set amount_cents = 20000000, reason = ${wide('W', 60)}
    where company_id = ${companyId}`)
  await db.execute(sql`update payment_links set title = ${wide('M', 128)}, amount_cents = 20000000,
    tags = (select array_agg(left(n || repeat('W', 49), 50)) from generate_series(1, 20) n)
    where ${some} payment_links ${third}`)
  await db.execute(sql`update customers set name = ${wide('W', 99)},
    email = ${`${wide('m', 64)}@${wide('m', 60)}.example`} where ${some} customers ${third}`)
  await db.execute(sql`update api_keys set name = ${wide('W', 64)} where company_id = ${companyId}`)
  await db.execute(sql`update webhook_endpoints set
    url = ${`https://${wide('w', 60)}.example/${wide('w', 200)}`} where company_id = ${companyId}`)
  await db.execute(sql`update users set email = ${`${wide('w', 64)}@${wide('w', 60)}.example`}
    where email like 'socio@%'`)
  await addRows(companyId, wide)
  await db.execute(sql`update audit_entries set subject = ${wide('M', 128)},
    actor = ${`${wide('w', 64)}@${wide('w', 60)}.example`}
    where company_id in (select test_of from companies where id = ${companyId})`)
}

/** What the demonstration has none of. */
async function addRows(companyId: string, wide: (letter: string, count: number) => string) {
  await db.execute(sql`insert into failed_calls
    (id, company_id, api_key_id, method, route, status, code, fields, request_id)
    select gen_random_uuid(), ${companyId}, id, 'POST', ${`/api/${wide('w', 120)}`}, 422, 'validation_failed',
      array[${wide('w', 100)}, 'title'], ${wide('w', 64)}
    from api_keys where company_id = ${companyId} limit 1`)
  await db.execute(sql`insert into invitations
    (id, company_id, email, role, token_hash, invited_by, expires_at)
    select gen_random_uuid(), test_of, ${`${wide('w', 64)}@${wide('w', 60)}.example`}, 'accountant', 'x',
      ${`${wide('m', 64)}@${wide('m', 60)}.example`}, now() + interval '1 day'
    from companies where id = ${companyId}`)
}

function openTab(options: BrowserContextOptions = {}) {
  return testMerchant.newPage({ storageState: state, ...options })
}

/** What is cut off without dots that say so, hangs out of its place, or is too narrow to be read. */
function findClipped(page: Page) {
  return page.locator('main').evaluate((main) => {
    const edge = document.documentElement.clientWidth
    const name = (one: Element) =>
      `${one.tagName}.${one.className} "${one.textContent?.trim().slice(0, 20)}"`
    const seen = [
      ...main.querySelectorAll('.card, tbody :is(th, td), tbody :is(a, time, .badge, .tag)'),
    ].filter((one) => one.getClientRects().length > 0)
    const clipped = seen.flatMap((one) => {
      const { left, right, width } = one.getBoundingClientRect()
      const isOut = left < -1 || right > edge + 1
      const hasDots = getComputedStyle(one).textOverflow === 'ellipsis'
      const isCut = !hasDots && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1
      const isSqueezed = one.matches('th') && width < 90
      return isOut || isCut || isSqueezed ? [name(one)] : []
    })
    const wide = document.documentElement.scrollWidth - edge
    return wide > 0 ? [...clipped, `scrolls sideways by ${wide}px`] : clipped
  })
}

/** Every amount, state and date of a row, where the row has one at this width. */
function findHidden(page: Page) {
  return page.locator('main tbody tr:visible').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const edge = row.getBoundingClientRect()
      const wanted = row.querySelectorAll('.cell-lead, .badge, time')
      return [...wanted].flatMap((one) => {
        const { left, right, height } = one.getBoundingClientRect()
        const isSeen = height > 0 && left >= edge.left - 1 && right <= edge.right + 1
        return isSeen || one.closest('.cell-wide, .cell-columns, .folded')
          ? []
          : [one.textContent?.trim() ?? '']
      })
    }),
  )
}

test('nothing that people write hides an amount, a state or a date on any screen', async () => {
  const { page, wrong } = await openTab()
  const flaws: string[] = []
  const paths = [...LISTS]
  for (const list of LISTS_OF_ONE) {
    await page.goto(at(list))
    paths.push((await page.locator('main tbody a.row-link').first().getAttribute('href')) ?? list)
  }

  for (const path of paths) {
    await page.goto(at(path))
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      const found = [...(await findClipped(page)), ...(await findHidden(page))]
      flaws.push(...found.map((flaw) => `${path} at ${width}: ${flaw}`))
    }
  }

  expect([...flaws, ...wrong]).toEqual([])
}, 240_000)

/** The rows in sight, those of more than two lines, and whether the next page is offered. */
function readPhoneList(page: Page) {
  return page.locator('main').evaluate((main) => {
    const lists = [...main.querySelectorAll('.table-list')].map((table) =>
      [...table.querySelectorAll('tbody tr')].filter((row) => row.checkVisibility()),
    )
    const high = lists.flat().filter((row) => row.getBoundingClientRect().height > 76)
    return {
      most: Math.max(0, ...lists.map((rows) => rows.length)),
      high: high.map((row) => row.textContent.replaceAll(/\s+/g, ' ').slice(0, 60)),
      isNextShown: main.querySelector('.pager-next')?.checkVisibility() ?? false,
    }
  })
}

test('on a phone each list shows ten rows of two lines, and the others before the next page, without JavaScript', async () => {
  const { page, wrong } = await openTab({ ...PHONE, javaScriptEnabled: false })
  const flaws: string[] = []
  const opened: object[] = []

  for (const path of LISTS) {
    await page.goto(at(path))
    const { most, high, isNextShown } = await readPhoneList(page)
    flaws.push(...high.map((row) => `${path} is higher than two lines: ${row}`))
    if (most > 10) flaws.push(`${path} shows ${most} rows`)
    if (most === 10 && isNextShown) flaws.push(`${path} leads past the rows that it hides`)
  }
  for (const path of ['/painel/transacoes', '/painel/integracoes/entregas']) {
    await page.goto(at(path))
    await page.locator('main .table-list + .fold > summary').click()
    opened.push(await readPhoneList(page))
  }

  expect([...flaws, ...wrong]).toEqual([])
  const all = { most: 20, isNextShown: true }
  expect(opened).toMatchObject([all, all])
}, 120_000)

test('on a phone a row that holds something back shows it without JavaScript; a desktop shows all of it', async () => {
  const { page } = await openTab({ ...PHONE, javaScriptEnabled: false })
  await page.goto(at('/painel/chaves'))
  const row = page.locator('main tbody tr').first()
  const revoke = row.getByRole('link', { name: 'Revogar' })

  const before = await revoke.isVisible()
  await row.locator('.fold > summary').click()
  const after = await revoke.isVisible()
  await page.setViewportSize({ width: 1280, height: HEIGHT })
  const folds = await page.locator('.fold:visible').count()

  expect([before, after, folds]).toEqual([false, true, 0])
})

/** The heights at which the payments of ordinary names end, below the top of the page or of the list. */
function readRowEnds(page: Page) {
  return page.locator('main .table-list').evaluate((table) => {
    const top = table.getBoundingClientRect().top
    const rows = [...table.querySelectorAll('tbody tr')]
    const ends = rows.map((row) => row.getBoundingClientRect().bottom)
    return { top, ends }
  })
}

test('a desktop shows twelve payments at once, and a phone eight', async () => {
  const known = sql`payer_name = 'Maria Aparecida da Silva', link_title = 'Bolo de cenoura com cobertura'`
  await db.execute(sql`update transactions set ${known}`)
  const { page } = await openTab({ viewport: { width: 1280, height: 800 } })

  await page.goto(at('/painel/transacoes'))
  const desktop = await readRowEnds(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const phone = await readRowEnds(page)

  expect(desktop.ends[11]).toBeLessThanOrEqual(800)
  expect(phone.ends[7]! - phone.top).toBeLessThanOrEqual(844 - 97)
})

/** What is told of columns at this moment. */
function readShownTips(page: Page) {
  return page
    .locator('.chart-tip')
    .evaluateAll((tips) =>
      tips
        .filter((tip) => getComputedStyle(tip).opacity === '1')
        .map((tip) => tip.textContent?.replaceAll(/\s+/g, ' ').trim()),
    )
}

test('a chart is one stop of the keyboard, and its columns are told one by one', async () => {
  const { page } = await openTab({ javaScriptEnabled: false })
  await page.goto(at(`${REPORTS}?por=dia&periodo=7-dias`))
  const columns = page.getByRole('radio')

  await columns.first().focus()
  const first = await readShownTips(page)
  await page.keyboard.press('ArrowRight')
  const second = await readShownTips(page)
  await page.keyboard.press('Tab')
  const after = await readShownTips(page)

  expect(await columns.count()).toBe(7)
  const told = /^\d\d\/\d\d\/\d{4} R\$ [\d.,]+ Período anterior: R\$ /
  expect([first, second]).toEqual([[expect.stringMatching(told)], [expect.stringMatching(told)]])
  expect(second).not.toEqual(first)
  expect(after).toEqual([])
})

test('a person who points at a column is told of it alone', async () => {
  const { page } = await openTab({ javaScriptEnabled: false })
  await page.goto(at('/painel'))
  await page.locator('summary', { hasText: 'Últimos 30 dias' }).click()
  const columns = page.locator('.chart-column')

  await columns.nth(3).locator('.chart-bars').click()
  await columns.nth(20).locator('.chart-bars').hover()

  expect(await columns.count()).toBe(30)
  const [tip, ...others] = await readShownTips(page)
  expect(others).toEqual([])
  expect((await columns.nth(20).textContent())?.trim().startsWith(tip!.slice(0, 10))).toBe(true)
})

// One column, or twelve: of today there is none yet just after midnight.
test.each([
  [390, 'mes-passado'],
  [1024, '12-meses'],
])(
  'at %i pixels no bar of the period %s is wider than 64, and what is told of it stays on the screen',
  async (width, period) => {
    const { page } = await openTab({ viewport: { width, height: HEIGHT } })
    await page.goto(at(`${REPORTS}?por=mes&periodo=${period}`))

    const widths = await page
      .locator('.chart-bars rect')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width))
    const tips = await page
      .locator('.chart-tip')
      .evaluateAll((all) => all.map((tip) => tip.getBoundingClientRect().toJSON()))

    expect(Math.max(...widths)).toBeLessThanOrEqual(64)
    expect(Math.max(...widths)).toBeGreaterThan(8)
    expect(tips.every(({ left, right }) => left >= 0 && right <= width)).toBe(true)
  },
)
