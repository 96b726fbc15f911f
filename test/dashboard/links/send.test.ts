// A company's people send a link by e-mail, let it remind, and see what became of it.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { customers, mails } from '../../../src/database/tables.ts'
import { openLinkDashboard, readFormErrors, readLinkForm } from '../../support/dashboard/links.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ mail: true })
const quiet = await openTestApp()
const { db } = testApp
const { openClient, create, newCustomer, readLink } = openLinkDashboard(testApp)

const EMAIL = 'maria@exemplo.com.br'

test("a link is sent from its page, to its customer's address or another, and the page tells", async () => {
  const { company, dashboardClient } = await openClient()
  const linkedCustomerId = await newCustomer(company)
  await db.update(customers).set({ email: EMAIL }).where(eq(customers.id, linkedCustomerId))
  const { id } = await create(company, { linkedCustomerId })
  const page = `/painel/links/${id}`
  expect((await dashboardClient.get(page)).body).toContain(`href="${page}/enviar"`)
  expect((await dashboardClient.get(`${page}/enviar`)).body).toContain(`value="${EMAIL}"`)

  const own = await dashboardClient.post(`${page}/enviar`, {
    email: `Dona <${dashboardClient.email}>`,
  })
  const stranger = await dashboardClient.post(`${page}/enviar`, { email: EMAIL })

  expect([own.headers.location, stranger.headers.location]).toEqual([
    `${page}?feito=link-enviado`,
    `${page}?feito=link-enviado-sem-email`,
  ])
  expect(await db.select().from(mails).where(eq(mails.template, 'payment-link'))).toMatchObject([
    { recipient: dashboardClient.email },
  ])
  const shown = (await dashboardClient.get(page)).body
  for (const part of [EMAIL, dashboardClient.email, 'Enviado por e-mail'])
    expect(shown).toContain(part)
  const [entry] = await listAudit(db, company.id, { limit: 1 })
  expect(entry).toMatchObject({ action: 'link_sent', subjectId: id, details: {} })
})

test('what is no address, and what went there just now, is refused at the field', async () => {
  const { company, dashboardClient } = await openClient()
  const { id } = await create(company)
  const send = (email: string) => dashboardClient.post(`/painel/links/${id}/enviar`, { email })
  await send(EMAIL)

  const refused = [await send('maria'), await send(EMAIL)]

  for (const { body } of refused) {
    expect(readFormErrors(body)).toEqual([['email', expect.any(String)]])
  }
  expect(refused[0]!.body).toContain('value="maria"')
})

test('where no mail server is configured the page offers the own mail program, and sends nothing', async () => {
  const dashboard = openLinkDashboard(quiet)
  const { company, dashboardClient } = await dashboard.openClient()
  const { id } = await dashboard.create(company)
  const page = `/painel/links/${id}`

  expect((await dashboardClient.get(page)).body).toContain('href="mailto:')
  expect((await dashboardClient.get(`${page}/enviar`)).headers.location).toBe(page)
})

test('reminders are set by the form, and shown in the log of changes and on the page', async () => {
  const { company, dashboardClient } = await openClient()
  const { id } = await create(company)
  const path = `/painel/links/${id}/editar`
  const form = await readLinkForm(dashboardClient, path)

  await dashboardClient.post(path, { ...form, remindEveryDays: ' 3 ' })

  expect(await readLink(id)).toMatchObject({ remindEveryDays: 3 })
  const [entry] = await listAudit(db, company.id, { limit: 1 })
  expect(JSON.stringify(entry!.details)).toContain('A cada 3 dias')
  expect((await dashboardClient.get(`/painel/links/${id}`)).body).toContain('A cada 3 dias')
})
