import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { unpackFile } from '../../../src/dashboard/link-imports/check.ts'
import { IMPORT_FILE_BYTES } from '../../../src/dashboard/link-imports/file.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { companies, customers } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import {
  IMPORTS_PATH,
  openLinkImports,
  readFaults,
  readFileErrors,
  readPacked,
} from '../../support/dashboard/link-imports.ts'
import { readPageText } from '../../support/payer.ts'
import { CHECKOUT_URL, openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { openClient, upload, checkFile, confirm, linksOf } = openLinkImports(testApp)

const HOUR_MS = 3600 * 1000
const CUSTOMER_HEADER = 'titulo;valor;cliente_nome;cliente_email;cliente_documento'

const customersOf = ({ id }: TestCompany) =>
  db.select().from(customers).where(eq(customers.companyId, id)).orderBy(customers.id)

test('a file is checked, confirmed and made, and its links are listed and taken away', async () => {
  const { company, client } = await openClient()
  await company.post('/api/payment-links', { title: 'Outro', amountCents: 5_000, methods: ['pix'] })
  const page = await checkFile(
    client,
    '\ufeffTítulo;Valor;Descrição;Formas de pagamento;Parcelas;Etiquetas;Expira em;Limite de pagamentos;Referência\r\n' +
      '"Curso ""A""; turma 1";1.234,56;"Duas\r\nlinhas";pix, cartão;6;maio, A;31/12/2026;1;007\r\n' +
      '=1+1;50;;;;;;;\r\n',
  )
  const before = await linksOf(company)

  const made = await confirm(client, page)
  const list = await client.get(String(made.headers.location))
  const csv = await client.get(list.body.match(/href="(\/painel\/links\.csv[^"]*)"/)![1]!)

  expect(page).toContain('Nada foi criado ainda')
  expect(readPageText(page)).toContain('Linhas certas 2 R$ 1.284,56 em links')
  expect(before).toHaveLength(1)
  const [, first, second] = await linksOf(company)
  expect(first).toMatchObject({
    title: 'Curso "A"; turma 1',
    amountCents: 123_456,
    description: 'Duas\nlinhas',
    methods: ['pix', 'credit_card'],
    maxInstallments: 6,
    tags: ['maio', 'A'],
    expiresAt: '2027-01-01T02:59:00.000Z',
    maxPayments: 1,
    externalReference: '007',
  })
  expect(second).toMatchObject({ methods: ['pix', 'credit_card'], maxPayments: null, tags: [] })
  expect(made.statusCode).toBe(303)
  expect(list.body).toContain('Os links do arquivo foram criados.')
  expect(list.body).toContain('2 links')
  expect(list.body).not.toContain('Outro')
  expect(list.body.indexOf(first!.slug)).toBeLessThan(list.body.indexOf(second!.slug))
  for (const { slug } of [first!, second!]) expect(csv.body).toContain(`${CHECKOUT_URL}/${slug}`)
  expect(csv.body.trim().split('\r\n')).toHaveLength(3)
  expect(await listAudit(db, company.id, { limit: 5 })).toMatchObject([
    { action: 'csv_exported', subject: 'Links' },
    { action: 'links_imported', subject: 'links.csv', details: { links: '2' } },
  ])
})

test('confirmed twice, at once or late, a file is made once', async () => {
  const { company, client } = await openClient()
  const page = await checkFile(client, `${CUSTOMER_HEADER}\nAula;50;Ana;ana@exemplo.com.br;`)

  const twice = await Promise.all([confirm(client, page), confirm(client, page)])
  const late = await confirm(client, page)

  expect([...twice, late].map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
  expect(new Set([...twice, late].map(({ headers }) => headers.location)).size).toBe(1)
  expect(await linksOf(company)).toHaveLength(1)
  expect(await customersOf(company)).toHaveLength(1)
  expect(await listAudit(db, company.id, { limit: 5 })).toHaveLength(1)
})

test('rows that are ticked after the file was made must be sent again', async () => {
  const { company, client } = await openClient()
  const page = await checkFile(client, 'titulo;valor\nAula;50\nAula;50')
  await confirm(client, page)

  const late = await confirm(client, page, { repetidas: 'todas' })

  expect(late.statusCode).toBe(422)
  expect(readFileErrors(late.body)).toEqual([expect.stringContaining('1 link deste arquivo já')])
  expect(await linksOf(company)).toHaveLength(1)
})

test('of two files at once with the same new people each person is made once', async () => {
  const { company, client } = await openClient()
  const buildFile = (title: string) =>
    [
      CUSTOMER_HEADER,
      ...Array.from({ length: 10 }, (_, i) => `${title};50;P${i};p${i}@exemplo.com.br;`),
    ].join('\n')
  const pages = [await checkFile(client, buildFile('a')), await checkFile(client, buildFile('b'))]

  await Promise.all(pages.map((page) => confirm(client, page)))

  expect(await linksOf(company)).toHaveLength(20)
  expect(await customersOf(company)).toHaveLength(10)
})

test('a row that the database refuses keeps all others from being made', async () => {
  const { company, client } = await openClient()
  const page = await checkFile(
    client,
    `${CUSTOMER_HEADER}\nAntes;50;Ana;a@exemplo.com.br;\nVeneno;50;;;`,
  )
  await db.$client.query(
    `alter table payment_links add constraint tried check (title <> 'Veneno') not valid`,
  )

  const failed = await confirm(client, page)
  const left = [await linksOf(company), await customersOf(company)]
  await db.$client.query('alter table payment_links drop constraint tried')
  const made = await confirm(client, page)

  expect([failed.statusCode, made.statusCode]).toEqual([500, 303])
  expect(left).toEqual([[], []])
  expect(await linksOf(company)).toHaveLength(2)
})

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

  await confirm(client, await checkFile(client, [CUSTOMER_HEADER, ...rows].join('\n')))

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

test('who is known by document or e-mail needs no name, as in the form of a link, and who is not does', async () => {
  const { company, client } = await openClient()
  const known = { name: 'Maria', email: 'maria@exemplo.com.br', taxId: '012.345.678-90' }
  const { id: maria } = (await company.post('/api/customers', known)).json()
  const rows = [
    'a;50;;;1234567890',
    'b;50;;"<Maria@exemplo.com.br>";',
    'c;50;;bia@exemplo.com.br;',
    'd;;;maria@exemplo.com.br;',
    'e;50;;maria;',
  ]

  const page = await checkFile(client, [CUSTOMER_HEADER, ...rows].join('\n'))
  await confirm(client, page)

  const links = await linksOf(company)
  expect(links.map((link) => [link.title, link.linkedCustomerId])).toEqual([
    ['a', maria],
    ['b', maria],
  ])
  expect(readFaults(page).map(([line, column]) => [line, column])).toEqual([
    ['4', 'cliente_nome'],
    ['5', 'valor'],
    ['6', 'cliente_nome'],
    ['6', 'cliente_email'],
  ])
  expect(await customersOf(company)).toHaveLength(1)
})

test('the page says whom a link will be for where the company knows them by another name', async () => {
  const { company, client } = await openClient()
  await company.post('/api/customers', {
    name: 'Carlos Pereira',
    email: 'carlos@exemplo.com.br',
    taxId: '987.654.321-00',
  })
  await company.post('/api/customers', { name: 'Rita', email: 'rita@exemplo.com.br' })

  const page = await checkFile(
    client,
    [
      CUSTOMER_HEADER,
      'Aula;50;Beatriz Lima;bia@exemplo.com.br;987.654.321-00',
      'Aula;60;CARLOS PEREIRA;;987.654.321-00',
      'Aula;50;Rita Sousa;Rita@exemplo.com.br;',
      'Aula;50;Nova;nova@exemplo.com.br;',
    ].join('\n'),
  )
  await confirm(client, page)

  const [noted = '', right = ''] = page.split('id="noted-title"')[1]!.split('id="right-title"')
  expect(readPageText(noted)).toMatch(
    /Já é seu cliente como Carlos Pereira; no arquivo, Beatriz Lima.*Formas: Pix, Cartão .*Carlos Pereira bia@exemplo.com.br 987.654.321-00 2 .*Já é seu cliente como Rita; no arquivo, Rita Sousa.* 4/,
  )
  expect(readPageText(right)).toMatch(
    /CARLOS PEREIRA 987.654.321-00 3 .*Nova nova@exemplo.com.br 5/,
  )
  const customerIds = (await linksOf(company)).map(({ linkedCustomerId }) => linkedCustomerId)
  expect(new Set(customerIds).size).toBe(3)
})

test('a row that is right no more when the button is pressed is shown, and keeps all from being made', async () => {
  const { company, client } = await openClient()
  const soon = new Date(clock.now().getTime() + HOUR_MS).toLocaleString('pt-BR', {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const page = await checkFile(
    client,
    `titulo;valor;expira_em;formas_de_pagamento\nCedo;50;${soon};pix\nCartão;50;;cartao\nFica;50;;pix`,
  )
  await db.update(companies).set({ cardProvider: null }).where(eq(companies.id, company.id))

  clock.offsetMs += 2 * HOUR_MS
  const refused = await confirm(client, page)
  clock.offsetMs = 0

  expect([refused.statusCode, readFileErrors(refused.body)]).toEqual([
    422,
    [
      expect.stringContaining('algo mudou'),
      expect.stringMatching(/^Linha 2: .*data futura/),
      expect.stringMatching(/^Linha 3: .*Ninguém recebe por Cartão/),
    ],
  ])
  expect(await linksOf(company)).toEqual([])
})

test('a file without a row that is right has no button, and nothing is asked of nothing', async () => {
  const { company, client } = await openClient()
  const page = await checkFile(client, 'titulo;valor\nAula;x')

  const forms = [
    await confirm(client, page),
    await client.post(`${IMPORTS_PATH}/confirmar`, { conferido: 'H4sI' }),
    await client.post(`${IMPORTS_PATH}/confirmar`),
  ]

  expect(readPacked(page)).toBe('')
  expect(page).not.toContain('confirmar"')
  expect(forms.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422])
  expect(await linksOf(company)).toEqual([])
})

test('what was changed on its way back is judged as the API judges it', async () => {
  const { company, client } = await openClient()
  const stranger = await testApp.newCompany()
  const person = { name: 'Rui', email: 'rui@exemplo.com.br' }
  const { id: theirs } = (await stranger.post('/api/customers', person)).json()
  const file = unpackFile(readPacked(await checkFile(client, 'titulo;valor\nAula;50')))!
  const send = (change: { input?: object; customer?: object; name?: string }) => {
    const { input = {}, customer = null, name = file.name } = change
    const links = file.links.map((link) => ({
      ...link,
      customer,
      input: { ...link.input, ...input },
    }))
    const conferido = gzipSync(JSON.stringify({ ...file, name, links })).toString('base64url')
    return client.post(`${IMPORTS_PATH}/confirmar`, { conferido })
  }

  const answers = [
    await send({ input: { amountCents: 1 } }),
    await send({ input: { title: '' } }),
    await send({ input: { title: '4111 1111 1111 1111' } }),
    await send({ input: { linkedCustomerId: theirs } }),
    await send({ customer: { name: 'Ana', taxId: '111.111.111-11' } }),
    await send({ name: 'x'.repeat(129) }),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(422))
  expect(await linksOf(company)).toEqual([])
})

test('the list of a file is the company’s own, and another company’s is empty', async () => {
  const { company, client } = await openClient()
  const colleague = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const { client: stranger } = await openClient()
  const made = await confirm(client, await checkFile(client, 'titulo;valor\nAula de canto;50'))
  const path = String(made.headers.location)

  const lists = await Promise.all([colleague, stranger].map((one) => one.get(path)))
  const strange = await client.get('/painel/links?importacao=nada')

  expect(lists.map(({ body }) => body.includes('Aula de canto'))).toEqual([true, false])
  expect(strange.body).toContain('Aula de canto')
})

test('the template is a file that can be uploaded as it is', async () => {
  const { client } = await openClient()

  const template = await client.get(`${IMPORTS_PATH}/modelo.csv`)
  const page = await checkFile(client, template.body)

  expect(template.headers['content-disposition']).toContain('modelo-de-links.csv')
  expect(readFaults(page)).toEqual([])
  expect(page).toContain('Criar 1 link<')
})

test('a file named like a card has no name, and a form of another page takes no file', async () => {
  const { client } = await openClient('owner')
  const form = new FormData()
  form.append('arquivo', new Blob(['titulo;valor']), 'links.csv')

  const other = await client.upload('/painel/links/novo', form)
  const ours = await upload(client, 'titulo;valor\nAula;50', '4111 1111 1111 1111.csv')

  expect(other.statusCode).toBe(415)
  expect(ours.body).toContain('arquivo sem nome')
})

test('1,000 rows, more than other forms may send, are made at once', async () => {
  const { company, client } = await openClient()
  const titles = Array.from({ length: 1_000 }, (_, i) => `Aula ${i}`)
  const rows = titles.map((title) => `${title};50;${randomBytes(100).toString('hex')}`)

  const page = await checkFile(client, ['titulo;valor;descricao', ...rows].join('\n'))
  await confirm(client, page)

  expect(readPacked(page).length).toBeGreaterThan(100_000)
  expect(page).toContain('Criar 1.000 links')
  expect((await linksOf(company)).map(({ title }) => title)).toEqual(titles)
})

test('a file of 5 MB is read, and one byte more is refused', async () => {
  const { client } = await openClient()
  const start = 'titulo;valor\nAula;50\n'
  const padded = start + ' '.repeat(IMPORT_FILE_BYTES - start.length)

  const [fits, tooBig] = [await upload(client, padded), await upload(client, `${padded} `)]

  expect(fits.statusCode).toBe(200)
  expect(tooBig.statusCode).toBe(422)
  expect(readFileErrors(tooBig.body)).toEqual([expect.stringMatching(/5 MB/)])
})

test('all that is wrong with a row is shown at once, and a card number neither there nor sent back', async () => {
  const { client } = await openClient()
  const number = '5555 5555 5555 4444'
  const file = `titulo;valor;expira_em;cliente_documento\nAula;50;;\n;dez;amanhã;1\n${number};50;;`

  const page = await checkFile(client, file)

  const sent = unpackFile(readPacked(page))
  expect(readFaults(page).map(([line, column]) => [line, column])).toEqual([
    ['3', 'titulo'],
    ['3', 'valor'],
    ['3', 'expira_em'],
    ['3', 'cliente_nome'],
    ['3', 'cliente_documento'],
    ['4', 'titulo'],
  ])
  expect(page).toContain('Criar 1 link<')
  expect(page).not.toContain(number)
  expect(sent?.links.map(({ line }) => line)).toEqual([2])
  expect(JSON.stringify(sent)).not.toContain(number)
})

test('a form without a file, and a file that is no table, are refused at their field', async () => {
  const { client } = await openClient()
  const form = new FormData()
  form.append('arquivo', new Blob([]), '')

  const none = await client.upload(IMPORTS_PATH, form)
  const workbook = await upload(client, 'PK\x03\x04')

  expect([none, workbook].map(({ statusCode }) => statusCode)).toEqual([422, 422])
  expect(readFileErrors(none.body)).toEqual([expect.stringMatching(/Escolha um arquivo/)])
  expect(readFileErrors(workbook.body)).toEqual([expect.stringMatching(/planilha do Excel/)])
})
