import { expect, test } from 'vitest'
import { openHouse } from '../../support/house.ts'
import { openLinkDesk, read, titlesIn } from '../../support/link-desk.ts'

const house = await openHouse()
const { openDesk, create } = openLinkDesk(house)

const LINKS = '/painel/links'

test('a company without links is shown how to make the first one', async () => {
  const { desk } = await openDesk()

  const html = await read(desk, LINKS)

  expect(html).toContain('Crie o seu primeiro link')
  expect(html).toContain('href="/painel/links/novo"')
  expect(html).not.toContain('class="filters"')
})

test('the list shows each link as people know it, the newest first', async () => {
  const { company, desk } = await openDesk()
  await create(company, { title: 'Bolo', tags: ['festa', 'doce & salgado'] })
  const card = { methods: ['pix', 'credit_card'], maxInstallments: 12 }
  const { slug } = await create(company, { title: 'Curso', amountCents: 199_000, ...card })
  await create(company, { title: 'Pão', status: 'inactive' })

  const html = await read(desk, LINKS)

  expect(titlesIn(html)).toEqual(['Pão', 'Curso', 'Bolo'])
  expect(html).toContain(slug)
  expect(html).toMatch(/R\$\s1\.990,00/)
  expect(html).toContain('Pix ou cartão em até 12x')
  expect(html).toContain('<span class="badge badge-waiting">Pausado</span>')
  expect(html).toContain('href="/painel/links?tag=doce+%26+salgado"')
})

test('search, tag, status and method narrow the list, and the form keeps what was asked', async () => {
  const { company, desk } = await openDesk()
  await create(company, { title: 'Bolo de Limão', tags: ['festa'] })
  await create(company, { title: 'Bolo de chocolate', methods: ['credit_card'] })
  await create(company, { title: 'Torta', status: 'inactive', tags: ['festa'] })

  const bySearch = await read(desk, `${LINKS}?q=LIMAO`)
  const byTag = await read(desk, `${LINKS}?tag=festa`)
  const byStatus = await read(desk, `${LINKS}?status=inactive`)
  const byBoth = await read(desk, `${LINKS}?q=bolo&method=credit_card`)

  expect(titlesIn(bySearch)).toEqual(['Bolo de Limão'])
  expect(bySearch).toContain('value="LIMAO"')
  expect(titlesIn(byTag)).toEqual(['Torta', 'Bolo de Limão'])
  expect(titlesIn(byStatus)).toEqual(['Torta'])
  expect(byStatus).toContain('<option value="inactive" selected>')
  expect(titlesIn(byBoth)).toEqual(['Bolo de chocolate'])
})

test('a filter that finds nothing offers to be cleared', async () => {
  const { company, desk } = await openDesk()
  await create(company)

  const html = await read(desk, `${LINKS}?q=panetone`)

  expect(html).toContain('Nenhum link encontrado')
  expect(html).toMatch(/href="\/painel\/links">Limpar filtros/)
})

test.each([
  'status=gone',
  'method=cash',
  'cursor=%00',
  'q=%00',
  `tag=${'x'.repeat(51)}`,
  'q=a&q=b',
])('an address with ?%s shows the list all the same', async (query) => {
  const { company, desk } = await openDesk()
  await create(company, { title: 'Bolo' })

  expect(titlesIn(await read(desk, `${LINKS}?${query}`))).toEqual(['Bolo'])
})

test('the list goes on from page to page with its filter, and back to its start', async () => {
  const { company, desk } = await openDesk()
  for (let n = 1; n <= 21; n++) await create(company, { title: `Bolo ${n}`, tags: ['festa'] })
  await create(company, { title: 'Torta' })

  const first = await read(desk, `${LINKS}?tag=festa`)
  const next = first.match(/rel="next" href="([^"]+)"/)![1]!.replaceAll('&amp;', '&')
  const second = await read(desk, next)

  expect(titlesIn(first)).toHaveLength(20)
  expect(titlesIn(second)).toEqual(['Bolo 1'])
  expect(second).not.toContain('rel="next"')
  expect(second).toMatch(/href="\/painel\/links\?tag=festa">/)
})

test('the CSV holds exactly the links of the filter', async () => {
  const { company, desk } = await openDesk()
  await create(company, { title: 'Bolo', tags: ['festa'] })
  await create(company, { title: 'Torta' })
  const page = await read(desk, `${LINKS}?tag=festa`)
  const address = page.match(/href="(\/painel\/links\.csv[^"]*)"/)![1]!

  const { headers, body } = await desk.get(address)

  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toContain('links-de-pagamento.csv')
  expect(body).toContain(';Bolo;')
  expect(body).not.toContain('Torta')
})

test('what people wrote is text on every page, never markup', async () => {
  const { company, desk } = await openDesk()
  const evil = '<script>alert(1)</script>'
  const link = await create(company, {
    ...{ title: evil, description: evil, tags: [evil.slice(0, 50)], externalReference: evil },
    ...{ metadata: { [evil]: evil }, inactiveMessage: evil },
  })

  for (const path of ['', `/${link.id}`, `/${link.id}/editar`, `/${link.id}/arquivar`]) {
    const html = await read(desk, LINKS + path)

    expect(html).toContain('&lt;script&gt;alert(1)')
    expect(html).not.toContain('<script>alert')
  }
  expect((await desk.get(`${LINKS}/${link.id}/qr.svg`)).body).not.toContain('script')
})

test('the oldest first is asked for in the address, page after page', async () => {
  const { desk, company } = await openDesk()
  for (let n = 1; n <= 22; n++) await create(company, { title: `Link ${n}` })

  const first = await read(desk, `${LINKS}?ordem=antigos`)
  const next = first.match(/rel="next" href="([^"]+)"/)![1]!.replaceAll('&amp;', '&')
  const second = await read(desk, next)

  expect(titlesIn(first)).toEqual(Array.from({ length: 20 }, (_, i) => `Link ${i + 1}`))
  expect(titlesIn(second)).toEqual(['Link 21', 'Link 22'])
  expect(second).toContain('<option value="antigos" selected>')
})
