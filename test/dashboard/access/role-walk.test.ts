// The dashboard as each role walks it: every route answers as the table of roles says; and from the first page
// on, by every link that a page shows, nothing that is shown leads to a refusal.
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { requireVisitor } from '../../../src/dashboard/access/session-guard.ts'
import { errorPageTexts } from '../../../src/dashboard/layout/texts.ts'
import { ROLES, type Role } from '../../../src/database/enums.ts'
import { newId } from '../../../src/database/id.ts'
import { customers } from '../../../src/database/tables.ts'
import { hasRight, type Right } from '../../../src/users/roles.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { type DashboardRoute, listDashboardRoutes } from '../../support/dashboard/routes.ts'
import { openWebhookDashboard } from '../../support/dashboard/webhooks.ts'
import { buildTestCard, openCheckout, PIX } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openReceivedPix } from '../../support/transactions/received.ts'

const testApp = await openTestApp({ mail: true, local: true })
const { db, clock, newCompany, stored } = testApp
const { newLink, pay, editLink } = openCheckout(testApp)
const { open } = openReceivedPix(testApp)
const { addReceiver, emit, giveUp } = openWebhookDashboard(testApp)

const HOUR_MS = 3_600_000
const MAX_PAGES = 400

const routes = (await listDashboardRoutes(testApp)).map((route) => ({
  ...route,
  pattern: new RegExp(
    `^${route.url.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`,
  ),
}))

const overpaid = await openOverpaid()
const held = await open()
held.pay(5_000)
await held.check()
const unpaid = await newCompany()
await pay(await newLink({}, unpaid), PIX)
const empty = await newCompany()
/** Behind the session guard. To sign out would end the walk. */
const inside = routes.filter(({ url, right }) => right && url !== '/painel/sair')
const companies = [overpaid, held.company, unpaid, empty, { id: empty.realId }]

test.each(ROLES)('all is open to who is %s, or refused, as the table says', async (role) => {
  const client = await openDashboardClient(testApp, { companyId: empty.id, role })
  const isRefused = async ({ method, url }: DashboardRoute) => {
    const address = url.replace(/:\w+/, newId())
    const answer = method === 'GET' ? await client.get(address) : await client.post(address)
    return answer.statusCode === 403 && answer.body.includes(errorPageTexts.notAllowed)
  }
  const { open = [], closed = [] } = Object.groupBy(inside, ({ right }) =>
    hasRight(role, right!) ? 'open' : 'closed',
  )
  const before = await stored()
  const wrong: string[] = []

  for (const route of closed) if (!(await isRefused(route))) wrong.push(route.url)
  const after = await stored()
  for (const route of open) if (await isRefused(route)) wrong.push(route.url)

  expect(inside.length).toBeGreaterThan(90)
  expect(wrong).toEqual([])
  expect(after).toBe(before)
})

test('a route that does not say who may come in is not served', async () => {
  const program = Fastify()
  await requireVisitor(program, { ...testApp.needs, asset: (file) => file, mail: null })

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
    for (const { id } of companies) {
      const walked = await walk(role, id)

      expect(walked.refused).toEqual([])
      for (const right of walked.used) used.add(right)
    }
    expect(used).toEqual(new Set(['ownAccount', 'read', ...SHOWN[role]]))
  },
)

/** Every page that links lead to, once for each path; `used` are the rights behind what they show. */
async function walk(role: Role, companyId: string) {
  const email = `${newId()}@exemplo.com.br`
  const client = await openDashboardClient(testApp, { companyId, role, email })
  const [waiting, seen] = [['/painel'], new Set(['/painel'])]
  const [refused, used] = [new Set<string>(), new Set<Right>()]
  const judge = (method: string, path: string, from: string) => {
    const route = routes.find((one) => one.method === method && one.pattern.test(path))
    if (!route?.right || !hasRight(role, route.right)) refused.add(`${from} → ${method} ${path}`)
    else used.add(route.right)
  }
  for (let address = waiting.pop(); address; address = waiting.pop()) {
    expect(seen.size).toBeLessThan(MAX_PAGES)
    const { statusCode, body } = await client.get(address)
    if (statusCode === 403) refused.add(address)
    for (const path of listFormPaths(body, address)) judge('POST', path, address)
    for (const next of listAddresses(body)) {
      const path = readPath(next)
      judge('GET', path, address)
      if (seen.has(path)) continue
      seen.add(path)
      waiting.push(next)
    }
  }
  return { refused: [...refused], used }
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
async function openOverpaid() {
  const { company, ...received } = await open()
  received.pay(10_000)
  received.pay(10_000)
  await received.check()
  await db.insert(customers).values({ id: newId(), companyId: company.id, name: 'Maria' })
  const link = await newLink({ methods: ['pix', 'credit_card'] }, company)
  await pay(link, buildTestCard('ok'))
  const cardsPausedUntil = new Date(clock.now().getTime() + HOUR_MS).toISOString()
  await editLink(link.id, { cardsPausedUntil })
  await addReceiver(company.id, 'https://example.com/ganchos')
  await giveUp((await emit(company.id)).id)
  return company
}
