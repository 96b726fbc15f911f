import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { DAY_MS } from '../../../src/database/instant.ts'
import { purgeLinkImports } from '../../../src/payment-links/import/link-import.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { IMPORTS_PATH, openLinkImports, readFaults } from '../../support/dashboard/link-imports.ts'
import { readPageText } from '../../support/payer.ts'
import { CHECKOUT_URL, openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { openClient, upload, uploadFile, confirmAndRun, runToEnd, linksOf, readImport, rowsOf } =
  openLinkImports(testApp)

test('a file is shown, confirmed, made, and its addresses can be taken away', async () => {
  const { company, client } = await openClient()
  const { path, page, id } = await uploadFile(
    client,
    '\ufeffTítulo;Valor;Descrição;Formas de pagamento;Parcelas;Etiquetas;Expira em;Limite de pagamentos;Referência\r\n' +
      '"Curso ""A""; turma 1";1.234,56;"Duas\r\nlinhas";pix, cartão;6;maio, A;31/12/2026;1;007\r\n' +
      '=1+1;50;;;;;;;\r\n',
  )
  const before = await linksOf(company)

  const outcome = await confirmAndRun(client, path)
  const csv = await client.get(`${path}/resultado.csv`)

  expect(page).toContain('Nada foi criado ainda')
  expect(before).toEqual([])
  const [first, second] = await linksOf(company)
  expect(first).toMatchObject({
    ...{ title: 'Curso "A"; turma 1', amountCents: 123_456, description: 'Duas\nlinhas' },
    ...{ methods: ['pix', 'credit_card'], maxInstallments: 6, tags: ['maio', 'A'] },
    ...{ expiresAt: '2027-01-01T02:59:00.000Z', maxPayments: 1, externalReference: '007' },
  })
  expect(second).toMatchObject({ methods: ['pix', 'credit_card'], maxPayments: null, tags: [] })
  expect(outcome).toContain(`${CHECKOUT_URL}/${first!.slug}`)
  expect(outcome).toContain('Concluída')
  expect(csv.body).toContain(
    `2;Criado;"Curso ""A""; turma 1";1234,56;${CHECKOUT_URL}/${first!.slug};`,
  )
  expect(csv.body).toContain(`3;Criado;'=1+1;50,00;`)
  expect(await listAudit(db, company.id, { limit: 5 })).toMatchObject([
    { action: 'links_imported', subject: 'links.csv', subjectId: id, details: { links: '2' } },
  ])
})

test('a row that was made keeps nothing of what it asked for', async () => {
  const { client } = await openClient()
  const { path, id } = await uploadFile(
    client,
    'titulo,valor,cliente_nome,cliente_email\nAula,50,Maria,maria@exemplo.com.br',
  )

  await confirmAndRun(client, path)

  expect(await rowsOf(id)).toMatchObject([
    { input: null, customer: null, linkId: expect.any(String) },
  ])
})

test('while links are made the page asks for itself again, and no more once they are', async () => {
  const { client } = await openClient()
  const { path } = await uploadFile(client, 'titulo;valor\nAula;50')
  await client.post(`${path}/confirmar`)

  const running = await client.get(path)
  await runToEnd()
  const done = await client.get(path)

  expect(running.headers.refresh).toBe('2')
  expect(running.body).toMatch(/<progress[^>]*value="0" max="1"/)
  expect(done.headers.refresh).toBeUndefined()
})

test('confirmed twice, a file is made once', async () => {
  const { company, client } = await openClient()
  const { path } = await uploadFile(client, 'titulo;valor\nAula;50')

  const twice = await Promise.all([1, 2].map(() => client.post(`${path}/confirmar`)))
  await runToEnd()
  const late = await client.post(`${path}/confirmar`)
  await runToEnd()

  expect([...twice, late].map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
  expect(await linksOf(company)).toHaveLength(1)
  expect(await listAudit(db, company.id, { limit: 5 })).toHaveLength(1)
})

test('a file without a row that is right cannot be confirmed', async () => {
  const { company, client } = await openClient()
  const { path, page, id } = await uploadFile(client, 'titulo;valor\nAula;x')

  await client.post(`${path}/confirmar`)
  await runToEnd()

  expect(page).not.toContain('confirmar"')
  expect(await readImport(id)).toMatchObject({ status: 'draft' })
  expect(await linksOf(company)).toEqual([])
})

test('a preview says whom the link will be for where the company knows them by another name', async () => {
  const { company, client } = await openClient()
  await company.post('/api/customers', {
    name: 'Carlos Pereira',
    email: 'carlos@exemplo.com.br',
    taxId: '987.654.321-00',
  })
  await company.post('/api/customers', { name: 'Rita', email: 'rita@exemplo.com.br' })

  const { page, path } = await uploadFile(
    client,
    [
      'titulo;valor;cliente_nome;cliente_email;cliente_documento',
      'Aula;50;Beatriz Lima;bia@exemplo.com.br;987.654.321-00',
      'Aula;50;CARLOS PEREIRA;;987.654.321-00',
      'Aula;50;Rita Sousa;Rita@exemplo.com.br;',
      'Aula;50;Nova;nova@exemplo.com.br;',
    ].join('\n'),
  )
  await confirmAndRun(client, path)

  const [known = '', sample = ''] = page.split('id="known-title"')[1]!.split('id="sample-title"')
  const text = readPageText(known)
  expect(text).toMatch(/Carlos Pereira Beatriz Lima 2 Rita Rita Sousa 4/)
  expect(text).not.toContain('CARLOS')
  expect(readPageText(sample)).toMatch(
    /Aula R\$ 50,00 Formas: Pix, Cartão .*Carlos Pereira bia@exemplo.com.br 987.654.321-00 2/,
  )
  expect(sample).not.toContain('Beatriz')
  const whose = (await linksOf(company)).map(({ linkedCustomerId }) => linkedCustomerId)
  expect(new Set(whose).size).toBe(3)
})

test('a preview is its uploader’s, the outcome the company’s, and neither another company’s', async () => {
  const { company, client } = await openClient()
  const colleague = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const { client: stranger } = await openClient()
  const { path } = await uploadFile(client, 'titulo;valor\nAula;50')

  const early = await colleague.get(path)
  await stranger.post(`${path}/confirmar`)
  await colleague.post(`${path}/confirmar`)
  const unmade = await linksOf(company)
  await confirmAndRun(client, path)
  const pages = [path, `${path}/resultado.csv`]
  const ours = await Promise.all(pages.map((page) => colleague.get(page)))
  const theirs = await Promise.all(pages.map((page) => stranger.get(page)))
  const lists = await Promise.all([colleague, stranger].map((one) => one.get(IMPORTS_PATH)))

  expect(early.statusCode).toBe(404)
  expect(unmade).toEqual([])
  expect(ours.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(theirs.map(({ statusCode }) => statusCode)).toEqual([404, 404])
  expect(lists.map(({ body }) => body.includes(path))).toEqual([true, false])
})

test('another upload takes the place of a preview that was not confirmed', async () => {
  const { client } = await openClient()
  const first = await uploadFile(client, 'titulo;valor\nAula;50')
  const second = await uploadFile(client, 'titulo;valor\nAula;60')

  const [gone, there] = [await client.get(first.path), await client.get(second.path)]

  expect([gone.statusCode, there.statusCode]).toEqual([404, 200])
})

test('the template is a file that can be uploaded as it is', async () => {
  const { client } = await openClient()

  const template = await client.get(`${IMPORTS_PATH}/modelo.csv`)
  const { page } = await uploadFile(client, template.body)

  expect(template.headers['content-disposition']).toContain('modelo-de-links.csv')
  expect(readFaults(page)).toEqual([])
  expect(page).toContain('Criar 1 link<')
})

test('Windows-1252 is read, and said to be', async () => {
  const { company, client } = await openClient()
  const bytes = Uint8Array.from(Buffer.from('t\xedtulo;valor\nForma\xe7\xe3o;50', 'latin1'))

  const { path, page } = await uploadFile(client, bytes)
  await confirmAndRun(client, path)

  expect(page).toContain('Windows-1252')
  expect(await linksOf(company)).toMatchObject([{ title: 'Formação' }])
})

test('faults are shown a hundred rows at a time, each once', async () => {
  const { client } = await openClient()
  const { path, page } = await uploadFile(client, `titulo;valor\n${'Aula;x\n'.repeat(101)}`)

  const next = page.match(/href="([^"]*\?erros=\d+)"/)![1]!
  const rest = await client.get(next)

  expect(next).toBe(`${path}?erros=101`)
  expect(readFaults(page)).toHaveLength(100)
  expect(readFaults(rest.body).map(([line]) => line)).toEqual(['102'])
})

test('an address of another shape is not found, and a strange place is the beginning', async () => {
  const { client } = await openClient()
  const { path } = await uploadFile(client, 'titulo;valor\nAula;x')

  const strange = await client.get(`${IMPORTS_PATH}/nada`)
  const places = ['-1', 'x', '99999999999', '1e3']
  const pages = await Promise.all(places.map((place) => client.get(`${path}?erros=${place}`)))

  expect(strange.statusCode).toBe(404)
  expect(pages.map(({ body }) => readFaults(body).length)).toEqual([1, 1, 1, 1])
})

test('a preview is kept for a day, an outcome for thirty', async () => {
  const { company, client } = await openClient()
  const done = await uploadFile(client, 'titulo;valor\nAula;50\nAula;x')
  await confirmAndRun(client, done.path)
  const draft = await uploadFile(client, 'titulo;valor\nAula;50')
  const purgeIn = async (ms: number) => {
    const now = new Date(clock.now().getTime() + ms)
    while ((await purgeLinkImports(db, now)).kind === 'more');
    return Promise.all([done, draft].map(async ({ id }) => (await readImport(id)) !== undefined))
  }

  const kept = [
    await purgeIn(DAY_MS - 60_000),
    await purgeIn(DAY_MS + 60_000),
    await purgeIn(30 * DAY_MS - 60_000),
    await purgeIn(30 * DAY_MS + 60_000),
  ]

  expect(kept).toEqual([
    [true, true],
    [true, false],
    [true, false],
    [false, false],
  ])
  expect(await rowsOf(done.id)).toEqual([])
  expect(await linksOf(company)).toHaveLength(1)
})

test('a preview that is older than a day is neither shown nor confirmed', async () => {
  const { client } = await openClient()
  const { path, id } = await uploadFile(client, 'titulo;valor\nAula;50')

  await db.$client.query(
    `update link_imports set created_at = created_at - interval '25 hours' where id = $1`,
    [id],
  )
  const page = await client.get(path)
  await client.post(`${path}/confirmar`)

  expect(page.statusCode).toBe(404)
  expect(await readImport(id)).toMatchObject({ status: 'draft' })
})

test('a file of the sample kind is refused on a form of another page', async () => {
  const { client } = await openClient('owner')
  const form = new FormData()
  form.append('arquivo', new Blob(['titulo;valor']), 'links.csv')

  const response = await client.upload('/painel/links/novo', form)
  const ours = await upload(client, 'titulo;valor\nAula;50', '4111 1111 1111 1111.csv')
  const page = await client.get(String(ours.headers.location))

  expect(response.statusCode).toBe(415)
  expect(page.body).toContain('arquivo sem nome')
})
