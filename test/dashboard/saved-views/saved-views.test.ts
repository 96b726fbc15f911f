// A list's filters, kept under a name by the person who uses them.
import { expect, test } from 'vitest'
import { buildViewUrl, toSavedQuery } from '../../../src/dashboard/saved-views/lists.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { savedViews } from '../../../src/database/tables.ts'
import { addDays, toDay } from '../../../src/reports/days.ts'
import { removeUser } from '../../../src/users/user.ts'
import { type DashboardClient, openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { openLinkDashboard, readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { openCheckout, PIX } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { openClient, create } = openLinkDashboard(testApp)
const { pay } = openCheckout(testApp)

const LINKS = '/painel/links'
const DAY_MS = 86_400_000
const NEW = '/painel/visoes/nova'

/** Names and addresses of the chips above a list, the current one with a star. */
function readChips(html: string) {
  const nav = html.match(/aria-label="Visões salvas">([\s\S]*?)<\/nav>/)?.[1] ?? ''
  const chips = nav.matchAll(/<a href="([^"]*)"( aria-current="page")?>([^<]*)</g)
  return [...chips].map(([, href, current, name]) => [
    (current ? '*' : '') + name,
    href!.replaceAll('&amp;', '&'),
  ])
}

/** As somebody does it who looks at this list. */
async function save(client: DashboardClient, address: string, nome: string) {
  const form = readFormFields(await readPage(client, address), NEW)
  return client.post(NEW, { ...form, nome })
}

async function openDesk() {
  const { company, dashboardClient } = await openClient()
  const link = await create(company, { title: 'Bolo', tags: ['natal'] })
  await pay({ ...link, companyId: company.id }, PIX)
  return { company, client: dashboardClient }
}

test.each([
  [`${LINKS}?q=&status=active&ordem=antigos`, `${LINKS}?ordem=antigos&status=active`],
  ['/painel/transacoes?status=approved', '/painel/transacoes?status=approved'],
  ['/painel/clientes?q=maria', '/painel/clientes?q=maria'],
  [`${LINKS}?tag=natal&status=active&tag=doce`, `${LINKS}?status=active&tag=natal&tag=doce`],
])('the filters of %s are saved and found again above the list', async (address, kept) => {
  const { client } = await openDesk()

  const saved = await save(client, address, ' Do dia ')
  const there = await readPage(client, String(saved.headers.location))
  const plain = await readPage(client, kept.split('?')[0]!)

  expect([saved.statusCode, saved.headers.location]).toEqual([303, kept])
  expect(readChips(there)).toEqual([
    ['Tudo', kept.split('?')[0]],
    ['*Do dia', kept],
  ])
  expect(there).not.toContain('Salvar esta visão')
  expect(readChips(plain).map(([name]) => name)).toEqual(['*Tudo', 'Do dia'])
})

test('a list that nothing narrows, and one that is saved, offer nothing to save', async () => {
  const { client } = await openDesk()

  const plain = await readPage(client, LINKS)
  const cursor = await readPage(client, `${LINKS}?feito=link-arquivado&status=`)
  const narrowed = await readPage(client, `${LINKS}?status=active`)

  expect([plain, cursor, narrowed].map((html) => html.includes('Salvar esta visão'))).toEqual([
    ...[false, false, true],
  ])
})

test('a period that has a name is that of the day on which the view is opened', async () => {
  const { client } = await openDesk()
  const today = await readPage(client, '/painel/transacoes?status=approved')
  const preset = today.match(/href="([^"]*)">(?:Hoje|hoje)</)![1]!.replaceAll('&amp;', '&')
  await save(client, preset, 'Aprovadas de hoje')
  const [view] = await db.select().from(savedViews).where(eq(savedViews.userId, client.id))

  const now = testApp.clock.now()
  const days = [0, 1].map((n) => {
    const url = buildViewUrl(view!, new Date(now.getTime() + n * DAY_MS))
    return new URL(url, 'http://localhost').searchParams.getAll('de')[0]
  })

  expect(view!.query).toBe('periodo=hoje&status=approved')
  expect(days).toEqual([toDay(now), addDays(toDay(now), 1)])
})

test.each(['2026-12-01', '2026-12-07'])('this month is kept as that, on %s too', (today) => {
  const dayOf = (day: string) => new Date(`${day}T15:00:00.000Z`)
  const month = { list: 'transactions', query: 'periodo=mes&status=approved' } as const

  const url = buildViewUrl(month, dayOf(today))

  expect(new URL(url, 'http://localhost').searchParams.get('ate')).toBe(today)
  expect(toSavedQuery(url, dayOf(today))).toBe(month.query)
  expect(toSavedQuery(url, dayOf('2026-12-08'))).toBe(`ate=${today}&de=2026-12-01&status=approved`)
})

test.each([
  ['', 'Dê um nome'],
  ['x'.repeat(41), 'Dê um nome'],
  ['Natal\u0000', 'Dê um nome'],
  ['NATAL', 'Você já tem uma visão com este nome'],
])('the name %j is refused, and the form keeps it', async (nome, message) => {
  const { client } = await openDesk()
  await save(client, `${LINKS}?tag=natal`, 'Natal')

  const refused = await save(client, `${LINKS}?status=active`, nome)

  expect(refused.statusCode).toBe(422)
  expect(readFormErrors(refused.body)[0]![1]).toContain(message)
  expect(readFormFields(refused.body, NEW)).toMatchObject({ consulta: ['status=active'] })
})

test('a name of forty characters is taken, and the same name in another list', async () => {
  const { client } = await openDesk()
  const name = 'á'.repeat(40)

  const answers = [
    await save(client, `${LINKS}?tag=natal`, name),
    await save(client, '/painel/clientes?q=maria', name),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303])
})

test('of a list there are at most twenty, also when two come at once', async () => {
  const { client } = await openDesk()
  for (let n = 0; n < 19; n++) await save(client, `${LINKS}?tag=t${n}`, `Visão ${n}`)

  const answers = await Promise.all(
    ['a', 'b'].map((name) => client.post(NEW, { lista: 'links', consulta: 'q=x', nome: name })),
  )

  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422])
  expect(answers.map(({ body }) => body).join()).toContain('Você já guarda 20 visões')
})

test('a view is called otherwise, and deleted', async () => {
  const { client } = await openDesk()
  const saved = await save(client, `${LINKS}?tag=natal`, 'Natal')
  const html = await readPage(client, String(saved.headers.location))
  const path = html.match(/href="(\/painel\/visoes\/[^"]*)"/)![1]!

  const renamed = await client.post(path, { nome: 'Festas' })
  const chips = readChips(await readPage(client, LINKS))
  const removed = await client.post(`${path}/remover`)

  expect([renamed.headers.location, removed.headers.location]).toEqual([
    `${LINKS}?tag=natal`,
    LINKS,
  ])
  expect(chips[1]).toEqual(['Festas', `${LINKS}?tag=natal`])
  expect(readChips(await readPage(client, LINKS))).toEqual([])
})

test('views are a person’s own, in either environment, and go with the person', async () => {
  const { company, client } = await openDesk()
  const seat = {
    companyId: company.realId,
    role: 'owner',
    email: `o-${company.id}@x.com.br`,
  } as const
  await openDashboardClient(testApp, seat)
  await save(client, `${LINKS}?tag=natal`, 'Natal')
  const path = (await readPage(client, `${LINKS}?tag=natal`)).match(
    /\/painel\/visoes\/[\w-]{36}/,
  )![0]
  const colleague = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })

  const foreign = await colleague.get(path)
  const theirs = await readPage(colleague, `${LINKS}?tag=natal`)
  await client.post('/painel/ambiente', { ambiente: 'real' })
  const real = await readPage(client, `${LINKS}?tag=natal`)
  await removeUser(db, { companyId: company.realId, userId: client.id })

  expect(foreign.statusCode).toBe(404)
  expect(readChips(theirs)).toEqual([])
  expect(readChips(real).map(([name]) => name)).toEqual(['Tudo', '*Natal'])
  expect(await db.$count(savedViews, eq(savedViews.userId, client.id))).toBe(0)
})

test.each([
  [`q=${'x'.repeat(255)}`, ''],
  ['cursor=abc&lote=1&aviso=2&falta=links&tag=natal', 'tag=natal'],
  ['Q=1&x-y=2&tag=a%26b%3D', 'tag=a%26b%3D'],
])('of the address %s only filters are kept', async (consulta, kept) => {
  const { client } = await openDesk()

  const saved = await client.post(NEW, { lista: 'links', consulta, nome: 'Uma' })

  expect(saved.headers.location).toBe(kept ? `${LINKS}?${kept}` : LINKS)
})
