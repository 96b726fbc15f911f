// Every route of the dashboard, as the program itself lists them, walked by those who may not: with the
// ids of another company, without a session, without the token of a form. A new route is
// walked too, or fails here until it is said how its address is filled.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { customers, unmatchedPayments, webhookDeliveries } from '../../../src/database/tables.ts'
import { createLinkBulk } from '../../../src/payment-links/change/bulk.ts'
import { createInvitation } from '../../../src/users/invitation.ts'
import { recordEvent } from '../../../src/webhooks/events/event.ts'
import { type DashboardClient, openDashboardClient } from '../../support/dashboard/client.ts'
import { type DashboardRoute, listDashboardRoutes } from '../../support/dashboard/routes.ts'
import { PUBLIC_HOOK_URL } from '../../support/endpoints.ts'
import { openCheckout } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock, newCompany, stored } = testApp
const { newLink, pay } = openCheckout(testApp)

/** Outside the gate: the ways in. */
const WAYS_IN = [
  '/painel/entrar',
  '/painel/entrar/codigo',
  '/painel/senha',
  '/painel/senha/:id',
  '/painel/convite/:id',
]
const SECRET = 'Encomenda sigilosa'
/** People are a company's, whatever environment they are in. */
const OF_BOTH = /^\/painel\/(equipe|conta)\//

type Route = Pick<DashboardRoute, 'method' | 'url'>

const all = await listDashboardRoutes(testApp)
const routes = all.filter(({ url }) => !WAYS_IN.includes(url))
const byId = routes.filter(({ url }) => url.includes(':'))
const forms = routes.filter(({ method }) => method === 'POST')
const pages = routes.filter(({ method }) => method === 'GET')

const ours = await newCompany()
const owner = await openDashboardClient(testApp, { companyId: ours.id })
const member = await openDashboardClient(testApp, { companyId: ours.id, role: 'member' })
const theirs = await openTheirs()

test('the program’s own list of routes is walked', () => {
  expect(byId.length).toBeGreaterThan(25)
  expect(routes.filter(({ right }) => right === undefined)).toEqual([])
  for (const url of WAYS_IN) expect(all.map((route) => route.url)).toContain(url)
})

test('a role without the right is refused by every route, and nothing changes', async () => {
  const before = await stored()

  await ofEach(byId, async (route) => {
    const answer = await ask(owner, route)
    expect([answer.statusCode, answer.body.includes(SECRET)]).toEqual([404, false])
  })
  // In one environment no address knows the id of what is in the other.
  await ofEach(
    byId.filter(({ url }) => !OF_BOTH.test(url)),
    async (route) => expect((await ask(theirs.realClient, route)).statusCode).toBe(404),
  )
  await ofEach(forms, async ({ url }) => {
    expect((await owner.postBare(addressOf(url))).statusCode).toBe(403)
  })
  await ofEach(routes, async ({ method, url }) => {
    const { statusCode, headers } = await app.inject({ method, url: addressOf(url) })
    expect(statusCode).toBe(303)
    expect(headers.location).toMatch(/^\/painel\/entrar(\?(voltar|enviado)=|$)/)
  })
  const borrowed = await owner.postBare('/painel/links/novo', { _csrf: member.csrf })

  expect(borrowed.statusCode).toBe(403)
  expect((await stored()) === before).toBe(true)
})

test('every page opens for the company that has its id', async () => {
  await ofEach(
    byId.filter(({ method }) => method === 'GET'),
    async (route) => {
      const answer = await ask(theirs.dashboardClient, route)

      expect(answer.statusCode).toBeLessThan(400)
    },
  )
})

test('no address takes what is no id', async () => {
  await ofEach(byId, async ({ method, url }) => {
    const address = url.replace(/:\w+/g, "'%20or%201=1--%00")

    const answer = await ask(owner, { method, url: address })

    expect([400, 404]).toContain(answer.statusCode)
  })
})

test('no page shows anything of another company, whatever its address asks for', async () => {
  const ids = new URLSearchParams(theirs.queries)

  await ofEach(
    // A workbook has the rows of its CSV (test/dashboard/layout/exports.test.ts), and a thread of its own.
    pages.filter(({ url }) => !url.includes(':') && !url.endsWith('.xlsx')),
    async ({ url }) => {
      const answers = await Promise.all([owner.get(url), owner.get(`${url}?${ids}`)])

      for (const { statusCode, body } of answers) {
        expect(statusCode).toBeLessThan(500)
        expect(
          [SECRET, theirs.dashboardClient.email].filter((secret) => body.includes(secret)),
        ).toEqual([])
      }
    },
  )
})

/** Every route is tried, also when one before it fails. */
async function ofEach(some: Route[], attempt: (route: Route) => Promise<void>) {
  expect(some.length).toBeGreaterThan(10)
  const failed: string[] = []
  for (const route of some) {
    await attempt(route).catch((error) => failed.push(`${route.method} ${route.url}: ${error}`))
  }
  expect(failed).toEqual([])
}

/** One of everything, of a company that is not ours. */
async function openTheirs() {
  const company = await newCompany(SECRET)
  const { id: companyId } = company
  const dashboardClient = await openDashboardClient(testApp, { companyId })
  const seat = { companyId: company.realId, email: 'real@exemplo.com.br' }
  const realClient = await openDashboardClient(testApp, seat)
  const link = await newLink({ title: SECRET }, company)
  const { row } = await pay(link)
  const customer = newId()
  await db.insert(customers).values({ id: customer, companyId, name: SECRET })
  const endpoint = (await company.post('/api/webhook-endpoints', { url: PUBLIC_HOOK_URL })).json()
    .id
  const event = { companyId, type: 'transaction.approved', testMode: true, data: {} } as const
  await db.transaction((tx) => recordEvent(tx, { ...event, now: clock.now() }))
  const [delivery] = await db.select().from(webhookDeliveries)
  const person = {
    email: 'sigilo@exemplo.com.br',
    role: 'member',
    invitedBy: dashboardClient.email,
  } as const
  const invitation = (
    await createInvitation(db, { companyId: company.realId, ...person }, clock.now())
  ).id

  const unmatched = newId()
  await db.insert(unmatchedPayments).values({
    ...{ id: unmatched, companyId, provider: 'pix-api', endToEndId: unmatched },
    ...{ amountCents: 1_990, paidAt: clock.now().toISOString(), payerName: SECRET },
  })

  const ordered = { companyId, userId: dashboardClient.id, action: 'pause', tag: null } as const
  const bulk = await createLinkBulk(
    db,
    { ...ordered, id: newId(), linkIds: [link.id], isAll: false },
    clock.now(),
  )

  /** By what stands before an id in an address. */
  const rooms: Record<string, string> = {
    links: link.id,
    'links/lote': bulk.id,
    transacoes: row.id,
    'transacoes/sem-cobranca': unmatched,
    clientes: customer,
    chaves: company.keyId,
    integracoes: endpoint,
    'integracoes/entregas': delivery!.id,
    equipe: dashboardClient.id,
    'equipe/convites': invitation,
    'conta/sessoes': dashboardClient.sessionId,
  }
  const queries = {
    link: link.id,
    cliente: customer,
    endpoint,
    pessoa: dashboardClient.id,
    q: 'Encomenda',
  }
  return { dashboardClient, realClient, rooms, queries }
}

/** The address with ids of the other company in it. */
function addressOf(url: string) {
  if (!url.includes(':')) return url
  const room = url.slice('/painel/'.length, url.indexOf('/:'))
  const id = theirs.rooms[room]
  const rest = url.slice(url.indexOf(':')).replace(/^:id/, String(id))
  if (!id || rest.includes(':')) throw new Error(`Say in openTheirs what ${url} is filled with`)
  return `/painel/${room}/${rest}`
}

function ask(dashboardClient: DashboardClient, { method, url }: Route) {
  const address = addressOf(url)
  return method === 'GET' ? dashboardClient.get(address) : dashboardClient.post(address)
}
