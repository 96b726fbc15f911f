import { expect, test } from 'vitest'
import { connectDatabase } from '../../../src/database/connect.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { companies, customers } from '../../../src/database/tables.ts'
import { makeImportedLinks } from '../../../src/payment-links/import/run.ts'
import { openLinkImports, readFaults } from '../../support/dashboard/link-imports.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, url, clock } = testApp
const { openClient, uploadFile, confirmAndRun, runToEnd, linksOf, readImport, rowsOf } =
  openLinkImports(testApp)

const CUSTOMER_HEADER = 'titulo;valor;cliente_nome;cliente_email;cliente_documento'
const HOUR_MS = 3600 * 1000

const customersOf = ({ id }: TestCompany) =>
  db.select().from(customers).where(eq(customers.companyId, id)).orderBy(customers.id)

const buildFile = (count: number) =>
  `titulo;valor\n${Array.from({ length: count }, (_, i) => `Aluno ${i + 1};50`).join('\n')}`

test('people are found by document, then by e-mail, and made once each', async () => {
  const { company, client } = await openClient()
  const known = { name: 'Maria', email: 'maria@exemplo.com.br', taxId: '529.982.247-25' }
  const { id: maria } = (await company.post('/api/customers', known)).json()
  const rows = [
    'a;50;Outro nome;outra@exemplo.com.br;52998224725',
    'b;50;Maria;MARIA@exemplo.com.br;',
    'c;50;Ana;ana@exemplo.com.br;',
    'd;50;Ana de novo;Ana@Exemplo.com.br;',
    'e;50;Loja;;11.222.333/0001-81',
    'f;50;Loja;;11222333000181',
    'g;50;Bia;bia@exemplo.com.br;390.533.447-05',
    'h;50;;;',
  ]
  const { path } = await uploadFile(client, [CUSTOMER_HEADER, ...rows].join('\n'))

  await confirmAndRun(client, path)

  const links = new Map((await linksOf(company)).map((link) => [link.title, link.linkedCustomerId]))
  const people = await customersOf(company)
  expect([links.get('a'), links.get('b')]).toEqual([maria, maria])
  expect(links.get('c')).toBe(links.get('d'))
  expect(links.get('e')).toBe(links.get('f'))
  expect(links.get('h')).toBeNull()
  expect(new Set(links.values()).size).toBe(5)
  expect(people.map(({ name }) => name).toSorted()).toEqual(['Ana', 'Bia', 'Loja', 'Maria'])
  expect(people.find(({ id }) => id === maria)).toMatchObject({
    name: 'Maria',
    email: 'maria@exemplo.com.br',
  })
})

test('who was anonymized is nobody whom an e-mail finds', async () => {
  const { company, client } = await openClient()
  const { id } = (
    await company.post('/api/customers', { name: 'Ana', email: 'ana@exemplo.com.br' })
  ).json()
  const headers = { authorization: `Bearer ${company.key}` }
  await testApp.app.inject({ method: 'DELETE', url: `/api/customers/${id}`, headers })
  const { path } = await uploadFile(client, `${CUSTOMER_HEADER}\na;50;Ana;ana@exemplo.com.br;`)

  await confirmAndRun(client, path)

  const [link] = await linksOf(company)
  expect(link!.linkedCustomerId).not.toBe(id)
})

test('a few hundred are made at a time, the files of companies in turn', async () => {
  const [one, other] = [await openClient(), await openClient()]
  for (const { client } of [one, other]) {
    const { path } = await uploadFile(client, buildFile(250))
    await client.post(`${path}/confirmar`)
  }
  const countBoth = async () =>
    Promise.all([one, other].map(async ({ company }) => (await linksOf(company)).length))

  const counts = []
  for (let i = 0; i < 4; i++) {
    await makeImportedLinks(db, new Date(clock.now().getTime() + i))
    counts.push(await countBoth())
  }
  await runToEnd()

  expect(counts).toEqual([
    [200, 0],
    [200, 200],
    [250, 200],
    [250, 250],
  ])
  const titles = (await linksOf(one.company)).map(({ title }) => title)
  expect(titles).toEqual(Array.from({ length: 250 }, (_, i) => `Aluno ${i + 1}`))
})

test('two processes at once make each row once', async () => {
  const otherDb = connectDatabase(url)
  const { company, client } = await openClient()
  const { path, id } = await uploadFile(client, buildFile(1_500))
  await client.post(`${path}/confirmar`)

  const work = async (own: typeof db) => {
    while ((await readImport(id))!.status !== 'done') await makeImportedLinks(own, clock.now())
  }
  await Promise.all([work(db), work(otherDb), work(db)])
  await otherDb.$client.end()

  const links = await linksOf(company)
  const rows = await rowsOf(id)
  expect(new Set(links.map(({ title }) => title)).size).toBe(1_500)
  expect(links).toHaveLength(1_500)
  expect(rows.map(({ linkId }) => linkId)).toEqual(links.map((link) => link.id))
  expect(await readImport(id)).toMatchObject({ createdCount: 1_500, refusedCount: 0 })
})

test('what is right no more when it is made is refused, with what is wrong', async () => {
  const { company, client } = await openClient()
  const soon = new Date(clock.now().getTime() + HOUR_MS).toLocaleString('pt-BR', {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const { path } = await uploadFile(
    client,
    `titulo;valor;expira_em;formas_de_pagamento\nCedo;50;${soon};pix\nCartão;50;;cartao\nFica;50;;pix`,
  )
  await client.post(`${path}/confirmar`)
  await db.update(companies).set({ cardProvider: null }).where(eq(companies.id, company.id))

  clock.offsetMs += 2 * HOUR_MS
  await runToEnd()
  clock.offsetMs = 0
  const page = await client.get(path)

  expect(readFaults(page.body)).toEqual([
    ['2', 'expira_em', expect.stringMatching(/data futura/)],
    ['3', 'formas_de_pagamento', expect.stringMatching(/Ninguém recebe por Cartão/)],
  ])
  expect(await linksOf(company)).toMatchObject([{ title: 'Fica' }])
})

test('a row that the database alone refuses is refused alone', async () => {
  const { company, client } = await openClient()
  const { path, id } = await uploadFile(client, 'titulo;valor\nAntes;50\nVeneno;50\nDepois;50')
  await db.$client.query(
    `alter table payment_links add constraint tried check (title <> 'Veneno') not valid`,
  )

  const page = await confirmAndRun(client, path)
  await db.$client.query('alter table payment_links drop constraint tried')

  expect((await linksOf(company)).map(({ title }) => title)).toEqual(['Antes', 'Depois'])
  expect(readFaults(page)).toEqual([['3', 'linha', expect.stringMatching(/Novo link/)]])
  expect(await readImport(id)).toMatchObject({ status: 'done', createdCount: 2, refusedCount: 1 })
})
