import { expect, test } from 'vitest'
import { findCompany } from '../../../src/companies/company.ts'
import { loadFirstSteps } from '../../../src/dashboard/home/first-steps.ts'
import { eq, or, sql } from '../../../src/database/drizzle.ts'
import type { Role } from '../../../src/database/enums.ts'
import { companies, providerAccounts, webhookDeliveries } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { findLinkHref, readFormFields } from '../../support/dashboard/html.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { buildDashboardNeeds } from '../../support/dashboard/routes.ts'
import { openWebhookDashboard } from '../../support/dashboard/webhooks.ts'
import { readPageText } from '../../support/payer.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp({ local: true })
const { db, newCompany } = testApp
const needs = buildDashboardNeeds(testApp)
const { addLink, addPayment, newMerchant } = openPayments(testApp)
const { addReceiver, emit, giveUp } = openWebhookDashboard(testApp)

const START = '/painel'
const AT = '2026-11-21T15:00:00.000Z'
const HEADING = 'Primeiros passos'

type Company = Awaited<ReturnType<typeof newCompany>>

/** A company with no more than a name, and what a person reads in one of its environments. */
async function openSteps(role: Role = 'owner', isReal = false) {
  const company = await newCompany()
  const { id, realId } = company
  const person = { companyId: realId, email: `${id}@exemplo.com.br`, role }
  const user = { ...person, id: (await writeUser(db, person)).id }
  /** The done steps, and the button of each other; null when nothing is left. */
  const look = async () => {
    const seen = (await findCompany(db, isReal ? realId : id))!
    const first = await loadFirstSteps(needs, { user, company: seen })
    return (
      first && {
        ...first,
        done: first.steps.flatMap(({ isDone, title }) => (isDone ? title : [])),
        actions: first.steps.flatMap(({ action }) => action ?? []),
      }
    )
  }
  return { company, look }
}

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

test('a new company reads what is left to do, from its brand to its first real link', async () => {
  const { look } = await openSteps()

  const first = await look()

  expect(first).toMatchObject({ progress: '0 de 5 feitos', done: [] })
  expect(first?.actions).toMatchObject([
    { text: 'Escolher logotipo e cor', href: '/painel/ajustes/marca', environment: null },
    { text: 'Criar link de teste', href: '/painel/links/novo', environment: null },
    { text: 'Criar endpoint', href: '/painel/integracoes/novo', environment: null },
    { text: 'Escolher quem recebe', href: '/painel/recebimentos', environment: 'real' },
  ])
  expect(first?.steps.at(-1)?.note).toBe('Vem depois de escolher o provedor.')
})

test('a member reads which role takes the steps that a member may not', async () => {
  const { look } = await openSteps('member')

  const notes = (await look())?.steps.map(({ note }) => note)

  expect(notes?.filter((note) => note === 'Quem faz isto: Proprietário.')).toHaveLength(3)
})

test('each step ticks itself as soon as it is so, and all of it goes when nothing is left', async () => {
  const { company, look } = await openSteps()
  const { id, realId: companyId } = company
  const account = { companyId, provider: 'openpix', config: Buffer.alloc(1) } as const
  const steps = [
    () => change(company, { color: '#0f6b50' }),
    () => addLink({ companyId: id }),
    () => addPaidLink(true, company),
    () => db.insert(providerAccounts).values({ ...account, notifyToken: id, testMode: false }),
    () =>
      db.execute(
        sql`update provider_accounts set tested_at = now() where company_id = ${companyId}`,
      ),
    () => goLive(company),
    () => addLink({ companyId }),
  ]
  const seen = []
  for (const step of steps) {
    await step()
    seen.push(await look())
  }

  const brand = 'Dê a cara da sua empresa'
  const paid = 'Faça um pagamento de teste'
  const provider = 'Escolha o provedor'
  expect(seen.map((first) => first?.done)).toEqual([
    ...[[brand], [brand], [brand, paid], [brand, paid], [brand, paid]],
    ...[[brand, paid, provider], undefined],
  ])
  const [, withLink, , withAccount, withTested, live] = seen
  expect(withLink?.actions[0]).toMatchObject({
    ...{ text: 'Abrir e pagar', opensTab: true },
    href: expect.stringMatching(/^http:\/\/localhost:3000\/pagar\/\w+$/),
  })
  expect(withAccount?.actions.at(-1)).toMatchObject({
    ...{ text: 'Testar conexão', href: '/painel/recebimentos/openpix', environment: 'real' },
  })
  expect(withTested?.actions.at(-1)).toMatchObject({
    ...{ text: 'Colocar em uso', href: '/painel/recebimentos/openpix/pix', environment: 'real' },
  })
  expect(live?.actions.at(-1)).toMatchObject({ text: 'Criar link real', environment: 'real' })
})

test('a logo will do instead of a colour', async () => {
  const { company, look } = await openSteps()
  await change(company, { logoUrl: '/logo/1.webp' })

  expect((await look())?.done).toEqual(['Dê a cara da sua empresa'])
})

test('an endpoint ticks once it has taken an event, and not while it is disabled', async () => {
  const { company, look } = await openSteps()
  const { id } = await addReceiver(company.id, 'http://127.0.0.1:9/hook')
  const made = await look()
  const delivery = await emit(company.id)
  await giveUp(delivery.id)
  const failed = await look()
  const delivered = { status: 'delivered', dueAt: null } as const
  await db.update(webhookDeliveries).set(delivered).where(eq(webhookDeliveries.id, delivery.id))
  const heard = await look()
  await db.execute(sql`update webhook_endpoints set disabled_at = now() where id = ${id}`)
  const disabled = await look()

  expect(made?.actions).toContainEqual(
    expect.objectContaining({ text: 'Enviar evento de teste', href: `/painel/integracoes/${id}` }),
  )
  expect([failed, heard, disabled].map((first) => first?.done)).toEqual([
    ...[[], ['Avise o seu sistema'], []],
  ])
  expect(disabled?.actions.map(({ text }) => text)).toContain('Criar endpoint')
})

test('a company that was paid for real needs no first steps', async () => {
  const { company, look } = await openSteps('owner', true)
  await addPaidLink(false, company)

  expect(await look()).toBeNull()
})

test('what is done in the other environment leads there, and the first real link begins with what can be paid', async () => {
  const company = await newCompany()
  const client = await openDashboardClient(testApp, { companyId: company.realId })
  await goLive(company)
  const html = await readPage(client, START)
  const form = readFormFields(await readPage(client, '/painel/links/novo'), '/painel/links/novo')

  const sent = await client.post('/painel/ambiente', {
    para: 'teste',
    voltar: '/painel/links/novo',
  })
  const after = await readPage(client, sent.headers.location as string)

  expect(html).toContain('name="voltar" value="/painel/links/novo"')
  expect(findLinkHref(html, 'Criar link real')).toBe('/painel/links/novo')
  expect(findLinkHref(html, 'Criar link de teste')).toBeUndefined()
  expect(form.methods).toEqual(['pix'])
  expect(after).toContain('AMBIENTE DE TESTE')
})

test('a person who puts them away no longer sees them, in either environment; others still do', async () => {
  const company = await newCompany()
  const client = await openDashboardClient(testApp, { companyId: company.id })
  const { realId: companyId } = company
  const other = await openDashboardClient(testApp, { companyId, email: 'outra@exemplo.com.br' })

  const sent = await client.post(`${START}/primeiros-passos/ocultar`)
  const after = await readPage(client, sent.headers.location as string)
  await client.post('/painel/ambiente', { para: 'real' })
  const real = await readPage(client, START)

  expect(readPageText(after)).toContain('Os primeiros passos não aparecem mais para você.')
  expect([after, real].filter((html) => html.includes(HEADING))).toEqual([])
  expect(after).not.toContain('Criar links pela API')
  expect(await readPage(other, START)).toContain(HEADING)
})
