// The dashboard as each role walks it: each right opens and closes its routes; and from the first page on, by every link
// that a page shows, all that is shown opens, in faultless HTML.
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { requireVisitor } from '../../src/dashboard/access/session-guard.ts'
import { errorPageTexts } from '../../src/dashboard/layout/texts.ts'
import { ROLES, type Role } from '../../src/database/enums.ts'
import { newId } from '../../src/database/id.ts'
import { customers, unmatchedPayments } from '../../src/database/tables.ts'
import { memoizeValue } from '../../src/record.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { hasRight, type Right } from '../../src/users/roles.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import {
  buildDashboardNeeds,
  type DashboardRoute,
  isFile,
  listDashboardRoutes,
} from '../support/dashboard/routes.ts'
import { openWebhookDashboard } from '../support/dashboard/webhooks.ts'
import { findHtmlFaults } from '../support/html-faults.ts'
import { buildTestCard, MARIA, openCheckout, PIX } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'
import { openReceivedPix } from '../support/transactions/received.ts'

const testApp = await openTestApp({ mail: true, local: true })
const { db, clock, needs, newCompany, stored } = testApp
const { newLink, pay, editLink } = openCheckout(testApp)
const { open, bank } = openReceivedPix(testApp)
const { addReceiver, emit, giveUp } = openWebhookDashboard(testApp)

const HOUR_MS = 3_600_000
const MAX_PAGES = 400
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
/** Of everybody who pays here. */
const FULL_CPF = new RegExp(MARIA.taxId.replaceAll(/\D/g, '\\D?'))

const routes = (await listDashboardRoutes(testApp)).map((route) => ({
  ...route,
  pattern: new RegExp(
    `^${route.url.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`,
  ),
}))

const busy = await openBusy()
const unpaid = await newCompany()
await pay(await newLink({}, unpaid), PIX)
/** Behind the session guard. To sign out would end the walk. */
const inside = routes.filter(({ url, right }) => right && url !== '/painel/sair')
/** With something of everything to do, with one link, and with nothing, where owners alone walk. */
const companies = [busy, unpaid, { id: unpaid.realId }]

test.each(ROLES)(
  'who is %s is refused what their role leaves out, and nothing else',
  async (role) => {
    const client = await openDashboardClient(testApp, { companyId: unpaid.id, role })
    const isRefused = async ({ method, url }: DashboardRoute) => {
      const address = url.replace(/:\w+/, newId())
      const answer = method === 'GET' ? await client.get(address) : await client.post(address)
      return answer.statusCode === 403 && answer.body.includes(errorPageTexts.notAllowed)
    }
    const isOpen = ({ right }: DashboardRoute) => hasRight(role, right!)
    // One guard stands before all of them: a page and a form of each right show it.
    const routes = [...new Map(inside.map((one) => [`${one.method} ${one.right}`, one])).values()]
    const before = await stored()
    const wrong: string[] = []

    for (const route of routes.filter((one) => !isOpen(one)))
      if (!(await isRefused(route))) wrong.push(route.url)
    const after = await stored()
    for (const route of routes.filter(isOpen)) if (await isRefused(route)) wrong.push(route.url)

    expect(inside.length).toBeGreaterThan(90)
    expect(wrong).toEqual([])
    expect(after).toBe(before)
  },
)

test('a route that does not say who may come in is not served', async () => {
  const program = Fastify()
  await requireVisitor(program, buildDashboardNeeds(testApp))

  expect(() => program.get('/painel/cofre', () => 'ouro')).toThrow(
    'Say which right /painel/cofre needs',
  )
})

test('an accountant changes nothing but their own account', () => {
  const forms = inside.filter(
    ({ method, right }) => method === 'POST' && hasRight('accountant', right!),
  )

  expect(forms.length).toBeGreaterThan(5)
  expect(new Set(forms.map(({ right }) => right))).toEqual(new Set(['ownAccount']))
})

const FOR_SELLERS = ['editLinks', 'editCustomers', 'simulatePayments'] as const
const SHOWN: Record<Role, readonly (Right | undefined)[]> = {
  owner: routes.map(({ right }) => right).filter((right) => right !== undefined),
  finance: [...FOR_SELLERS, 'refund', 'receivables', 'payouts'],
  member: FOR_SELLERS,
  accountant: ['payouts'],
}

test.each(ROLES)(
  'who is %s is shown what they may do, and nothing that is refused',
  async (role) => {
    const used = new Set<Right>()
    for (const { id } of role === 'owner' ? companies : [busy, unpaid]) {
      const walked = role === 'owner' && id === busy.id ? await walkAsOwner() : await walk(role, id)

      expect(walked.faults).toEqual([])
      for (const right of walked.used) used.add(right)
    }
    expect(used).toEqual(new Set(['ownAccount', 'read', ...SHOWN[role]]))
  },
)

const DAYS = ['de', 'ate', 'mes', 'dia', 'desde']
const ASKED = [
  ...['q', 'status', 'method', 'tag', 'cursor', 'link', 'cliente', 'pagamento', 'por', 'periodo'],
  ...['ordem', 'endpoint', 'evento', 'chave', 'pessoa', 'acao', 'arquivo', ...DAYS],
]

test('a page that is asked for what there is not is shown all the same', async () => {
  const client = await openDashboardClient(testApp, {
    companyId: busy.id,
    email: `${newId()}@x.br`,
  })
  const query = ASKED.map((name) => `${name}=${DAYS.includes(name) ? '9999-12-31' : '%00'}`).join(
    '&',
  )
  const failed: string[] = []

  for (const { method, url } of inside) {
    if (method !== 'GET' || url.includes(':') || isFile(url)) continue
    const { statusCode } = await client.get(`${url}?${query}`)
    if (![200, 204, 303, 404, 422].includes(statusCode)) failed.push(`${url}: ${statusCode}`)
  }

  expect(failed).toEqual([])
})

/** The menu and the search beside every page. */
const FRAME = /<header class="side">[\s\S]*?<\/header>/

/** Pages with HTML that was checked. */
const seen = new Set<string>()

const walkAsOwner = memoizeValue(() => walk('owner', busy.id))

/** Every page that links lead to, once for each path; `used` are the rights behind what they show. */
async function walk(role: Role, companyId: string) {
  const email = `${newId()}@exemplo.com.br`
  const client = await openDashboardClient(testApp, { companyId, role, email })
  const pages = new Map([['/painel', '/painel']])
  const forms = new Map<string, string>()
  const faults: string[] = []
  const used = new Set<Right>()
  const note = (method: string, path: string, from: string) => {
    const right = findRight(role, method, path)
    if (right) used.add(right)
    else faults.push(`${from} → ${method} ${path}`)
  }
  const look = async (address: string) => {
    const { statusCode, body } = await client.get(address)
    if (statusCode !== 200) faults.push(`${address}: ${statusCode}`)
    if (showsHiddenDocument(role, body)) faults.push(`${address} shows a CPF in full`)
    const kind = readPath(address).replace(UUID, ':id')
    if (role === 'owner' && !seen.has(kind)) {
      const html = seen.size === 0 ? body : body.replace(FRAME, '')
      faults.push(...findHtmlFaults(address, html))
    }
    seen.add(kind)
    return body
  }
  // A Map is walked on to what is added on the way.
  for (const [path, address] of pages) {
    expect(pages.size).toBeLessThan(MAX_PAGES)
    const body = isFile(path) ? '' : await look(address)
    for (const form of listFormPaths(body, address)) {
      note('POST', form, address)
      forms.set(form, address)
    }
    for (const next of listAddresses(body)) {
      note('GET', readPath(next), address)
      pages.set(readPath(next), pages.get(readPath(next)) ?? next)
    }
  }
  return { client, forms, faults, used }
}

test('a form with nothing in it is answered by a page that says so', async () => {
  const { client, forms } = await walkAsOwner()
  const answers = []

  for (const form of forms.keys()) {
    if (form !== '/painel/sair') answers.push({ form, ...(await client.post(form)) })
  }

  const pages = answers.filter(({ headers }) =>
    `${headers['content-type']}`.startsWith('text/html'),
  )
  expect(pages.length).toBeGreaterThan(15)
  expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([])
  expect(pages.flatMap(({ form, body }) => findHtmlFaults(form, body.replace(FRAME, '')))).toEqual(
    [],
  )
})

/** The right behind an address, if this role has it. */
function findRight(role: Role, method: string, path: string) {
  const route = routes.find((one) => one.method === method && one.pattern.test(path))
  return route?.right && hasRight(role, route.right) ? route.right : undefined
}

function showsHiddenDocument(role: Role, html: string) {
  return FULL_CPF.test(html) && !hasRight(role, 'fullDocuments')
}

/** Wherever a page leads to within the dashboard, scripts included. */
function listAddresses(html: string) {
  const found = html.replaceAll(/<form[^>]*>/g, '').matchAll(/ [\w-]+="(\/painel[^"]*)"/g)
  return [...found].map(([, address]) => address!.replaceAll('&amp;', '&'))
}

function listFormPaths(html: string, address: string) {
  const forms = html.matchAll(/<form[^>]*method="post"[^>]*>/g)
  return [...forms].map(([tag]) => readPath(tag.match(/ action="([^"]*)"/)?.[1] ?? address))
}

function readPath(address: string) {
  return address.replace(/[?#].*/, '')
}

/** A company where there is something of everything to do. */
async function openBusy() {
  const { company, ...received } = await open()
  received.pay(10_000)
  received.pay(10_000)
  await received.check()
  const link = await newLink({ methods: ['pix', 'credit_card'] }, company)
  const held = await pay(link, PIX)
  const paidAt = clock.now().toISOString()
  const short = { endToEndId: 'E0', amountCents: 5_000, paidAt, refundedCents: 0 }
  bank.charges.set(held.row.id, { received: [short] })
  await checkPayment(needs, held.row)
  await pay(link, PIX)
  for (const scenario of ['ok', 'funds']) await pay(link, buildTestCard(scenario))
  const cardsPausedUntil = new Date(clock.now().getTime() + HOUR_MS).toISOString()
  await editLink(link.id, { cardsPausedUntil })
  await db.insert(customers).values({ id: newId(), companyId: company.id, name: 'Maria' })
  await db.insert(unmatchedPayments).values({
    ...{ id: newId(), companyId: company.id, provider: 'pix-api', endToEndId: 'E1' },
    ...{ amountCents: 1_990, paidAt },
  })
  await addReceiver(company.id, 'https://example.com/ganchos')
  await giveUp((await emit(company.id)).id)
  return company
}
