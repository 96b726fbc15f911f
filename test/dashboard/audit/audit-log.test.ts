// Registro: what owners read of who did what.
import { expect, test } from 'vitest'
import { type NewAuditEntry, recordAudit } from '../../../src/companies/audit.ts'
import { newId } from '../../../src/database/id.ts'
import { type DashboardClient, openDashboardClient } from '../../support/dashboard/client.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock, newCompany } = testApp

async function openClient() {
  const { id: companyId } = await newCompany()
  const dashboardClient = await openDashboardClient(testApp, { companyId })
  const record = (more: Partial<NewAuditEntry> = {}) =>
    recordAudit(db, {
      ...{
        companyId,
        actor: dashboardClient.email,
        userId: dashboardClient.id,
        action: 'sign_in',
        now: clock.now(),
      },
      ...more,
    })
  return { companyId, dashboardClient, record }
}

/** What stands in the rows, without what is around it. */
async function rowsOf(dashboardClient: DashboardClient, query = '') {
  const { body, statusCode } = await dashboardClient.get(`/painel/registro${query}`)
  expect(statusCode).toBe(200)
  return [...body.matchAll(/<th scope="row">([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    row!
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

test('the log says who did what to whom, from where and when, and leads to what has a page', async () => {
  const { dashboardClient, record } = await openClient()
  const subject = { subjectId: newId(), subject: 'Bolo <b>de</b> cenoura' }
  const customerId = newId()
  await record({ action: 'link_created', ...subject, address: '203.0.113.9' })
  await record({ action: 'endpoint_removed', subjectId: newId(), subject: 'https://loja.example' })
  await record({
    ...{ action: 'role_changed', subjectId: dashboardClient.id, subject: dashboardClient.email },
    details: { role: 'Proprietário' },
  })
  // A customer is not named here, where nothing can be forgotten.
  await record({ action: 'customer_changed', subjectId: customerId })

  const { body } = await dashboardClient.get('/painel/registro')
  const rows = await rowsOf(dashboardClient)

  expect(body).toContain('Criou um link de pagamento')
  expect(body).toContain(
    `<a href="/painel/links/${subject.subjectId}">Bolo &lt;b&gt;de&lt;/b&gt; cenoura</a>`,
  )
  expect(body).toContain('203.0.113.9')
  expect(rows[1]).toContain(`${dashboardClient.email} Proprietário`)
  expect(body).toContain(`href="/painel/equipe/${dashboardClient.id}"`)
  expect(body).toContain('https://loja.example')
  expect(body).not.toContain('href="/painel/integracoes/')
  expect(body).toContain(`<a href="/painel/clientes/${customerId}">Ver</a>`)
})

test('details that are kept for programs are said in words', async () => {
  const { dashboardClient, record } = await openClient()
  const instant = '2026-03-01T15:00:00.000Z'
  await record({ action: 'key_rolled', subject: 'Loja', details: { until: instant } })
  await record({ action: 'deliveries_resent', details: { createdFrom: instant, count: '1' } })
  await record({ action: 'endpoint_changed', details: { change: 'disabled', odd: 'como está' } })

  const rows = await rowsOf(dashboardClient)

  expect(rows[0]).toContain('como está Desativou')
  expect(rows[1]).toContain('1 entrega')
  expect(rows[1]).toContain('Eventos desde 01/03/2026 12:00')
  expect(rows[2]).toContain('Loja A antiga vale até 01/03/2026 12:00')
})

test('what was done in either environment is read in both, and that of tests says so', async () => {
  const company = await newCompany()
  const [inTest, inReal] = [
    await openDashboardClient(testApp, { companyId: company.id }),
    await openDashboardClient(testApp, { companyId: company.realId, email: 'b@exemplo.com.br' }),
  ]
  const entry = { actor: 'Ana', action: 'link_created', now: clock.now() } as const
  await recordAudit(db, { ...entry, companyId: company.id, subject: 'Bolo' })
  await recordAudit(db, { ...entry, companyId: company.realId, subject: 'Torta' })

  const [shownInTest, shownInReal] = [await rowsOf(inTest), await rowsOf(inReal)]

  expect(shownInReal).toEqual(shownInTest)
  expect(shownInReal[0]).toMatch(/^Criou um link de pagamento Torta/)
  expect(shownInReal[1]).toMatch(/^Teste Criou um link de pagamento Bolo/)
})

test('who came in, went out or may is of no environment, and of none is it said to be', async () => {
  const { dashboardClient, record } = await openClient()
  await record({ action: 'sign_in' })
  await record({ action: 'sign_out' })
  await record({ action: 'role_changed', subject: 'ana@exemplo.com.br' })
  await record({ action: 'settings_changed' })

  const rows = await rowsOf(dashboardClient)

  expect(rows.map((row) => row!.startsWith('Teste '))).toEqual([true, false, false, false])
})

test('it is narrowed by person and by what was done, also for who is gone, and what is no filter narrows nothing', async () => {
  const { dashboardClient, record } = await openClient()
  const gone = { actor: 'saiu@exemplo.com.br', userId: newId() }
  await record({ action: 'link_paused' })
  await record({ ...gone, action: 'link_paused' })
  await record({ ...gone, action: 'sign_in' })

  const byPerson = await rowsOf(dashboardClient, `?pessoa=${gone.userId}`)
  const both = await rowsOf(dashboardClient, `?pessoa=${gone.userId}&acao=link_paused`)
  const byAction = await rowsOf(dashboardClient, '?acao=link_paused')
  const page = await dashboardClient.get(`/painel/registro?pessoa=${gone.userId}`)
  const nothing = await dashboardClient.get('/painel/registro?acao=logo_changed')
  const nonsense = await rowsOf(dashboardClient, '?acao=<script>&pessoa=x&cursor=%00&cursor=y')

  expect([byPerson.length, both.length, byAction.length]).toEqual([2, 1, 2])
  expect(nothing.body).toContain('Limpar filtros')
  expect(nonsense).toHaveLength(3)
  expect(both[0]).toMatch(/^Teste Pausou um link de pagamento saiu@exemplo.com.br/)
  expect(page.body).toContain(`<option value="${gone.userId}" selected>saiu@exemplo.com.br`)
})
