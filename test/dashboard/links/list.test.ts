import { expect, test } from 'vitest'
import { openLinkDashboard, readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { openClient, create } = openLinkDashboard(testApp)

const LINKS = '/painel/links'

test('a company without links is shown how to make the first one', async () => {
  const { dashboardClient } = await openClient()

  const html = await readPage(dashboardClient, LINKS)

  expect(html).toContain('Crie o seu primeiro link')
  expect(html).toContain('href="/painel/links/novo"')
  expect(html).not.toContain('class="list-filters')
})

test('the list shows each link as people know it, the newest first', async () => {
  const { company, dashboardClient } = await openClient()
  await create(company, { title: 'Bolo', tags: ['festa', 'doce & salgado'] })
  const card = { methods: ['pix', 'credit_card'], maxInstallments: 12 }
  const { slug } = await create(company, { title: 'Curso', amountCents: 199_000, ...card })
  await create(company, { title: 'Pão', status: 'inactive' })

  const html = await readPage(dashboardClient, LINKS)

  expect(readRowTitles(html)).toEqual(['Pão', 'Curso', 'Bolo'])
  expect(html).toContain(slug)
  expect(html).toMatch(/R\$\s1\.990,00/)
  expect(html).toContain('Pix ou cartão em até 12x')
  expect(html).toContain('<span class="badge badge-waiting">Pausado</span>')
  expect(html).toContain('href="/painel/links?tag=doce+%26+salgado"')
})

test('search, tag, status and method narrow the list, and the form keeps what was asked', async () => {
  const { company, dashboardClient } = await openClient()
  await create(company, { title: 'Bolo de Limão', tags: ['festa'] })
  await create(company, { title: 'Bolo de chocolate', methods: ['credit_card'] })
  await create(company, { title: 'Torta', status: 'inactive', tags: ['festa'] })

  const bySearch = await readPage(dashboardClient, `${LINKS}?q=LIMAO`)
  const byTag = await readPage(dashboardClient, `${LINKS}?tag=festa`)
  const byStatus = await readPage(dashboardClient, `${LINKS}?status=inactive`)
  const byBoth = await readPage(dashboardClient, `${LINKS}?q=bolo&method=credit_card`)

  expect(readRowTitles(bySearch)).toEqual(['Bolo de Limão'])
  expect(bySearch).toContain('value="LIMAO"')
  expect(readRowTitles(byTag)).toEqual(['Torta', 'Bolo de Limão'])
  expect(readRowTitles(byStatus)).toEqual(['Torta'])
  expect(byStatus).toContain('<option value="inactive" selected>')
  expect(readRowTitles(byBoth)).toEqual(['Bolo de chocolate'])
})

test('a filter that finds nothing offers to be cleared', async () => {
  const { company, dashboardClient } = await openClient()
  await create(company)

  const html = await readPage(dashboardClient, `${LINKS}?q=panetone`)

  expect(html).toContain('Nenhum link encontrado')
  expect(html).toMatch(/href="\/painel\/links">Limpar filtros/)
})

test('the CSV holds exactly the links of the filter', async () => {
  const { company, dashboardClient } = await openClient()
  await create(company, { title: 'Bolo', tags: ['festa'] })
  await create(company, { title: 'Torta' })
  const page = await readPage(dashboardClient, `${LINKS}?tag=festa`)
  const address = page.match(/href="(\/painel\/links\.csv[^"]*)"/)![1]!

  const { headers, body } = await dashboardClient.get(address)

  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toContain('links-de-pagamento.csv')
  expect(body).toContain(';Bolo;')
  expect(body).not.toContain('Torta')
})

test('the oldest first is asked for in the address, page after page', async () => {
  const { dashboardClient, company } = await openClient()
  for (let n = 1; n <= 22; n++) await create(company, { title: `Link ${n}` })

  const first = await readPage(dashboardClient, `${LINKS}?ordem=antigos`)
  const next = first.match(/rel="next" href="([^"]+)"/)![1]!.replaceAll('&amp;', '&')
  const second = await readPage(dashboardClient, next)

  expect(readRowTitles(first)).toEqual(Array.from({ length: 20 }, (_, i) => `Link ${i + 1}`))
  expect(readRowTitles(second)).toEqual(['Link 21', 'Link 22'])
  expect(second).toContain('<option value="antigos" selected>')
})

test('what was just done is said once, and by no list that the page leads to', async () => {
  const { company, dashboardClient } = await openClient()
  for (let n = 0; n < 21; n++) await create(company, { tags: ['festa'] })
  const outcome = 'feito=link-criado&lote=x&falta=links&aviso=x'

  const html = await readPage(dashboardClient, `${LINKS}?tag=festa&${outcome}&ordem=titulo`)

  const lists = [...html.matchAll(/href="(\/painel\/links[?.][^"]*)"/g)].map(([, href]) => href)
  expect(html).toContain('Escolha ao menos um link.')
  expect(lists).toContain('/painel/links?tag=festa&amp;ordem=maior-valor')
  expect(lists.filter((href) => /feito|lote|falta|aviso/.test(href!))).toEqual([])
})
