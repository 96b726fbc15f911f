import { expect, test } from 'vitest'
import { eq, or, sql } from '../../../src/database/drizzle.ts'
import type { Role } from '../../../src/database/enums.ts'
import { companies, providerAccounts, webhookDeliveries } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { findLinkHref, readFormFields } from '../../support/dashboard/html.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { openWebhookDashboard } from '../../support/dashboard/webhooks.ts'
import { readPageText } from '../../support/payer.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, newCompany } = testApp
const { addLink, addPayment, newMerchant } = openPayments(testApp)
const { addReceiver, emit, deliver } = openWebhookDashboard(testApp)

const START = '/painel'
const AT = '2026-11-21T15:00:00.000Z'
const HEADING = 'Primeiros passos'

/** A company of which nothing is known but its name, and somebody in one of its environments. */
async function openCompany({ role = 'owner' as Role, isReal = false } = {}) {
  const company = await newCompany()
  const companyId = isReal ? company.realId : company.id
  return { company, client: await openDashboardClient(testApp, { companyId, role }) }
}

type Company = Awaited<ReturnType<typeof newCompany>>

async function change({ realId }: Company, settings: Partial<typeof companies.$inferInsert>) {
  const pair = or(eq(companies.id, realId), eq(companies.testOf, realId))
  await db.update(companies).set(settings).where(pair)
}

async function goLive({ realId }: Company) {
  await db.update(companies).set({ pixProvider: 'openpix' }).where(eq(companies.id, realId))
}

/** A link that somebody has paid, in this environment. */
async function addPaidLink(testMode: boolean, { id, realId }: Company) {
  const other = await newMerchant()
  const companyId = testMode ? id : realId
  const linkId = await addLink({ companyId })
  await addPayment({ ...other, companyId, linkId }, AT, { testMode })
}

const readDone = (html: string) =>
  [...html.matchAll(/Feito: <\/span>([^<]*)/g)].map(([, title]) => title!.trim())
const readButtons = (html: string) => {
  const start = html.indexOf('id="first-steps"')
  const part = start < 0 ? '' : html.slice(start, html.indexOf('</section>', start))
  return [...part.matchAll(/class="button[^"]*"[^>]*>(?:<svg[\s\S]*?<\/svg>)?([^<]+)</g)].map(
    ([, text]) => text!.trim(),
  )
}

test('a new company is told what is left to do, from its brand to its first real link', async () => {
  const { client } = await openCompany()

  const html = await readPage(client, START)

  expect(readPageText(html)).toContain('0 de 5 feitos')
  expect(readDone(html)).toEqual([])
  expect(readButtons(html)).toEqual([
    'Escolher logotipo e cor',
    'Criar link de teste',
    'Criar endpoint',
    'Escolher quem recebe',
  ])
  expect(readPageText(html)).toContain('Vem depois de escolher quem move o dinheiro.')
  expect(findLinkHref(html, 'Escolher logotipo e cor')).toBe('/painel/ajustes/marca')
  expect(findLinkHref(html, 'Criar link de teste')).toBe('/painel/links/novo')
})

test('each step ticks itself as soon as it is so, and all of it goes when nothing is left', async () => {
  const { company, client } = await openCompany()
  const seen: string[][] = []
  const look = async () => {
    const html = await readPage(client, START)
    seen.push(html.includes(HEADING) ? readDone(html) : ['gone'])
    return html
  }

  await change(company, { color: '#0f6b50' })
  await look()
  await addLink({ companyId: company.id })
  const withLink = await look()
  await addPaidLink(true, company)
  await look()
  await db.insert(providerAccounts).values({
    ...{ companyId: company.realId, provider: 'openpix', config: Buffer.alloc(1) },
    ...{ notifyToken: company.id, testMode: false },
  })
  const withAccount = await look()
  await db.execute(
    sql`update provider_accounts set tested_at = now() where company_id = ${company.realId}`,
  )
  const withTested = await readPage(client, START)
  await goLive(company)
  const live = await look()
  await addLink({ companyId: company.realId })
  await look()

  const brand = 'Dê a cara da sua empresa'
  const paid = 'Faça um pagamento de teste'
  const provider = 'Escolha quem move o dinheiro'
  expect(seen).toEqual([
    [brand],
    [brand],
    [brand, paid],
    [brand, paid],
    [brand, paid, provider],
    ['gone'],
  ])
  expect(findLinkHref(withLink, 'Abrir e pagar')).toMatch(/^http:\/\/localhost:3000\/pagar\/\w+$/)
  expect(readButtons(withAccount)).toContain('Testar conexão')
  expect(withAccount).toContain('name="voltar" value="/painel/recebimentos/openpix"')
  expect(readButtons(withTested)).toContain('Colocar em uso')
  expect(withTested).toContain('name="voltar" value="/painel/recebimentos/openpix/pix"')
  expect(readButtons(live)).toContain('Criar link real')
})

test('a logo will do instead of a colour', async () => {
  const { company, client } = await openCompany()
  await change(company, { logoUrl: '/logo/1.webp' })

  expect(readDone(await readPage(client, START))).toEqual(['Dê a cara da sua empresa'])
})

test('an endpoint ticks once it has taken an event, and not while it is disabled', async () => {
  const { company, client } = await openCompany()
  const { id } = await addReceiver(company.id, 'http://127.0.0.1:9/hook')
  const made = await readPage(client, START)
  const { eventId } = await emit(company.id)
  await deliver()
  const failed = await readPage(client, START)
  const delivered = { status: 'delivered', dueAt: null } as const
  await db.update(webhookDeliveries).set(delivered).where(eq(webhookDeliveries.eventId, eventId))
  const heard = await readPage(client, START)
  await db.execute(sql`update webhook_endpoints set disabled_at = now() where id = ${id}`)
  const disabled = await readPage(client, START)

  expect(findLinkHref(made, 'Enviar evento de teste')).toBe(`/painel/integracoes/${id}`)
  expect(readDone(failed)).toEqual([])
  expect(readDone(heard)).toEqual(['Avise o seu sistema'])
  expect(readDone(disabled)).toEqual([])
  expect(readButtons(disabled)).toContain('Criar endpoint')
})

test('what is done in the other environment leads there, and only there', async () => {
  const { company, client } = await openCompany({ isReal: true })
  await goLive(company)
  const html = await readPage(client, START)

  const sent = await client.post('/painel/ambiente', {
    para: 'teste',
    voltar: '/painel/links/novo',
  })
  const after = await readPage(client, sent.headers.location as string)

  expect(html).toContain('name="voltar" value="/painel/links/novo"')
  expect(findLinkHref(html, 'Criar link real')).toBe('/painel/links/novo')
  expect(findLinkHref(html, 'Criar link de teste')).toBeUndefined()
  expect(after).toContain('AMBIENTE DE TESTE')
})

test('whoever was paid for real needs no first steps', async () => {
  const { company, client } = await openCompany({ isReal: true })
  await addPaidLink(false, company)

  expect(await readPage(client, START)).not.toContain(HEADING)
})

test('a person who puts them away no longer sees them, in either environment; others still do', async () => {
  const { company, client } = await openCompany()
  const { realId: companyId } = company
  const other = await openDashboardClient(testApp, { companyId, email: 'outra@exemplo.com.br' })

  const sent = await client.post(`${START}/primeiros-passos/ocultar`)
  const after = await readPage(client, sent.headers.location as string)
  await client.post('/painel/ambiente', { para: 'real' })
  const real = await readPage(client, START)

  expect(readPageText(after)).toContain('Os primeiros passos não aparecem mais para você.')
  expect([after, real].filter((html) => html.includes(HEADING))).toEqual([])
  expect(after).not.toContain('Pela API')
  expect(await readPage(other, START)).toContain(HEADING)
})

test('the first real link begins with what can be paid by then', async () => {
  const { company, client } = await openCompany({ isReal: true })
  await goLive(company)

  const form = readFormFields(await readPage(client, '/painel/links/novo'), '/painel/links/novo')

  expect(form.methods).toEqual(['pix'])
})
