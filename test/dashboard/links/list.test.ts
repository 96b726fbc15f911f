import { expect, test } from 'vitest'
import { openLinkDashboard, readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { openClient, create } = openLinkDashboard(testApp)

const LINKS = '/painel/links'

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
