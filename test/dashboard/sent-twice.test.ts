// Forms that create something, sent by a double click in a browser without JavaScript: at once, and again later.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { customers } from '../../src/database/tables.ts'
import type { DashboardClient } from '../support/dashboard/client.ts'
import { readFormFields } from '../support/dashboard/html.ts'
import { FILLED_LINK_FORM, openLinkDashboard, readPage } from '../support/dashboard/links.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { openClient, create, linksOf, actionsOf } = openLinkDashboard(testApp)

const NEW_LINK = '/painel/links/novo'
const NEW_CUSTOMER = '/painel/clientes/novo'

async function readForm(client: DashboardClient, path: string, action = path) {
  return readFormFields(await readPage(client, path), action)
}

/** Returns the addresses that the answers lead to, without their queries. */
async function sendTwice(
  client: DashboardClient,
  path: string,
  form: Record<string, string | string[]>,
) {
  const atOnce = await Promise.all([client.post(path, form), client.post(path, form)])
  const late = await client.post(path, form)
  const answers = [...atOnce, late]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
  return [...new Set(answers.map(({ headers }) => headers.location?.split('?')[0]))]
}

test('a new link is created once, and another one when the form is sent with other values', async () => {
  const { company, dashboardClient } = await openClient()
  const form = { ...(await readForm(dashboardClient, NEW_LINK)), ...FILLED_LINK_FORM }

  const places = await sendTwice(dashboardClient, NEW_LINK, form)
  const [link, ...more] = await linksOf(company)

  expect(more).toEqual([])
  expect(places).toEqual([`/painel/links/${link?.id}`])
  expect(await actionsOf(company)).toEqual([['link_created', 'Bolo de cenoura']])

  const unreadable = [{ amount: '10,999' }, { amount: '' }, { uses: 'limited', maxPayments: '' }]
  for (const wrong of unreadable) {
    expect((await dashboardClient.post(NEW_LINK, { ...form, ...wrong })).statusCode).toBe(422)
  }

  await dashboardClient.post(NEW_LINK, { ...form, title: 'Torta' })
  await dashboardClient.post(NEW_LINK, { ...form, paused: 'on' })

  const titles = (await linksOf(company)).map(({ title, status }) => `${title}: ${status}`)
  expect(titles.toSorted()).toEqual([
    'Bolo de cenoura: active',
    'Bolo de cenoura: inactive',
    'Torta: active',
  ])
})

test('a link is copied once by each page, and a later click says so', async () => {
  const { company, dashboardClient } = await openClient()
  const { id } = await create(company)
  const path = `/painel/links/${id}/duplicar`
  const form = await readForm(dashboardClient, `/painel/links/${id}`, path)

  const [place] = await sendTwice(dashboardClient, path, form)
  const late = await dashboardClient.post(path, form)
  const again = await dashboardClient.post(
    path,
    await readForm(dashboardClient, `/painel/links/${id}`, path),
  )

  expect(late.headers.location).toBe(`${place}?feito=link-ja-duplicado`)
  expect(await readPage(dashboardClient, late.headers.location!)).toContain(
    'Esta cópia já tinha sido criada.',
  )
  expect(again.headers.location).toContain('?feito=link-duplicado')
  expect(await linksOf(company)).toHaveLength(3)
  expect((await actionsOf(company)).map(([action]) => action)).toEqual([
    'link_duplicated',
    'link_duplicated',
  ])
})

test.each([
  ['with a document', { name: 'Ana Lima', taxId: '529.982.247-25' }],
  ['with a name alone', { name: 'Ana Lima' }],
])('a new customer %s is created once', async (_, typed) => {
  const { company, dashboardClient } = await openClient()
  const form = { ...(await readForm(dashboardClient, NEW_CUSTOMER)), ...typed }
  const read = () => db.select().from(customers).where(eq(customers.companyId, company.id))

  const places = await sendTwice(dashboardClient, NEW_CUSTOMER, form)
  const [customer, ...more] = await read()

  expect(more).toEqual([])
  expect(places).toEqual([`/painel/clientes/${customer?.id}`])
  expect((await actionsOf(company)).map(([action]) => action)).toEqual(['customer_created'])

  await dashboardClient.post(NEW_CUSTOMER, { ...form, name: 'Rui Lima', taxId: '' })

  expect((await read()).map(({ name }) => name).toSorted()).toEqual(['Ana Lima', 'Rui Lima'])
})

test('a form with the id of something of another company finds nothing there', async () => {
  const { dashboardClient } = await openClient()
  const stranger = await openClient()
  const { id } = await create(stranger.company)

  const link = await dashboardClient.post(NEW_LINK, { ...FILLED_LINK_FORM, id })

  expect(link.statusCode).toBe(404)
})
