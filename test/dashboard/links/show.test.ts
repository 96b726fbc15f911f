import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { paymentLinks } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { openLinkDashboard, readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { openPayments } from '../../support/payments.ts'
import { CHECKOUT_URL, openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db } = testApp
const { openClient, create, actionsOf, readLink } = openLinkDashboard(testApp)
const { newMerchant, addPayment } = openPayments(testApp)

const LINKS = '/painel/links'
const HOUR_MS = 3600 * 1000
const PNG_WIDTH_OFFSET = 16

const stats = (html: string) =>
  [...html.matchAll(/stat-value">([^<]*)</g)].map(([, value]) => value)

test('a link tells what it has earned, and who paid last', async () => {
  const merchant = await newMerchant()
  const { companyId, linkId } = merchant
  const dashboardClient = await openDashboardClient(testApp, { companyId })
  const look = () => readPage(dashboardClient, `${LINKS}/${linkId}`)
  const add = (payerName: string, status: 'approved' | 'pending' | 'declined', hoursAgo: number) =>
    addPayment(merchant, new Date(clock.now().getTime() - hoursAgo * HOUR_MS).toISOString(), {
      ...{ payerName, status, method: 'credit_card' },
      ...(status !== 'approved' && { approvedAt: null }),
    })

  const untried = await look()
  await add('Maria Silva', 'pending', 3)
  const before = await look()
  await add('João Souza', 'approved', 2)
  await add('Ana Lima', 'declined', 1)
  const after = await look()

  expect(stats(untried)).toEqual([])
  expect(stats(before)).toEqual(['R$\u00a00,00', '0', '—'])
  expect(before).toContain('nenhuma tentativa ainda')
  expect(stats(after)).toEqual(['R$\u00a0100,00', '1', '50%'])
  expect(readRowTitles(after)).toEqual(['Ana Lima', 'João Souza', 'Maria Silva'])
  expect(after).toContain(`href="/painel/transacoes?link=${linkId}"`)
})

test('a link is shared by address, WhatsApp and e-mail', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await create(company, { title: 'Bolo & café' })

  const html = await readPage(dashboardClient, `${LINKS}/${link.id}`)

  const url = `${CHECKOUT_URL}/${link.slug}`
  const said = encodeURIComponent('Bolo & café, R$\u00a019,90. Para pagar: ')
  expect(html).toContain(`value="${url}"`)
  expect(html).toContain(`https://wa.me/?text=${said}${encodeURIComponent(url)}`)
  expect(html).toContain(`mailto:?subject=${encodeURIComponent('Bolo & café · Padaria Sol')}&amp;`)
})

test('its QR code is taken away as a drawing and as a picture for print', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await create(company, { title: 'Bolo de maçã!' })

  const svg = await dashboardClient.get(`${LINKS}/${link.id}/qr.svg`)
  const png = await dashboardClient.get(`${LINKS}/${link.id}/qr.png`)

  expect(svg.headers['content-type']).toContain('image/svg+xml')
  expect(svg.headers['content-disposition']).toBe('attachment; filename="qr-bolo-de-maca.svg"')
  expect(png.headers['content-type']).toBe('image/png')
  expect(png.headers['content-disposition']).toBe('attachment; filename="qr-bolo-de-maca.png"')
  const width = png.rawPayload.readUInt32BE(PNG_WIDTH_OFFSET)
  expect(width).toBeGreaterThanOrEqual(1024)
})

test('a poster of a link is one sheet of a known size, without the menu, and says why it cannot be paid', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await create(company, { title: 'Bolo de maçã' })
  const read = (folha: string) =>
    readPage(dashboardClient, `${LINKS}/${link.id}/cartaz?folha=${folha}`)

  const [open, odd] = [await read('a4'), await read('a0&folha=a4')]
  await dashboardClient.post(`${LINKS}/${link.id}/pausar`)
  const paused = await read('a6')

  const words = open.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  expect(words).toContain('Padaria Sol Pague aqui Bolo de maçã R$ 19,90 Aponte a câmera do celular')
  expect(words).toContain(`${new URL(CHECKOUT_URL).host}/pagar/${link.slug}`)
  expect(open).toContain(`src="/painel/links/${link.id}/qr.svg"`)
  expect(open).not.toContain('class="side"')
  expect([open, odd, paused].map((html) => html.match(/sheet-\w+/)?.[0])).toEqual([
    ...['sheet-a4', 'sheet-a5', 'sheet-a6'],
  ])
  expect(open).not.toContain('ninguém consegue pagar')
  expect(paused).toContain('Este link está pausado: ninguém consegue pagar por ele.')
})

test('a link is paused and reactivated at once, and both are remembered', async () => {
  const { company, dashboardClient } = await openClient('member')
  const link = await create(company, { title: 'Bolo' })

  const paused = await dashboardClient.post(`${LINKS}/${link.id}/pausar`)
  await dashboardClient.post(`${LINKS}/${link.id}/pausar`)
  const shown = await readPage(dashboardClient, paused.headers.location!)
  const resumed = await dashboardClient.post(`${LINKS}/${link.id}/reativar`)

  expect(paused.statusCode).toBe(303)
  expect(shown).toContain('Link pausado.')
  expect(shown).toContain('badge-waiting">Pausado')
  expect(shown).toContain('/reativar')
  expect(await readPage(dashboardClient, resumed.headers.location!)).toContain('Link reativado.')
  expect(await actionsOf(company)).toEqual([
    ['link_resumed', 'Bolo'],
    ['link_paused', 'Bolo'],
  ])
})

test('a paused link that has expired is not reactivated, and the page says what to do', async () => {
  const { company, dashboardClient } = await openClient()
  const expiresAt = new Date(clock.now().getTime() + HOUR_MS).toISOString()
  const link = await create(company, { status: 'inactive', expiresAt })
  clock.offsetMs += 2 * HOUR_MS

  const response = await dashboardClient.post(`${LINKS}/${link.id}/reativar`)

  clock.offsetMs = 0
  expect(response.statusCode).toBe(422)
  expect(response.body).toContain('Edite-o e escolha uma nova data antes de reativar.')
  expect(response.body).not.toContain('expiresAt')
  expect(await actionsOf(company)).toEqual([])
})

test('a link is archived after a question, once', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await create(company, { title: 'Bolo' })

  const question = await readPage(dashboardClient, `${LINKS}/${link.id}/arquivar`)
  const still = await readPage(dashboardClient, `${LINKS}/${link.id}`)
  const done = await dashboardClient.post(`${LINKS}/${link.id}/arquivar`)
  await dashboardClient.post(`${LINKS}/${link.id}/arquivar`)
  const again = await dashboardClient.get(`${LINKS}/${link.id}/arquivar`)
  const shown = await readPage(dashboardClient, done.headers.location!)

  expect(question).toContain('Você pode desarquivá-lo quando quiser')
  expect(still).toContain('badge-good">Ativo')
  expect(still).toContain('Compartilhe o link')
  expect(again.headers.location).toBe(`${LINKS}/${link.id}`)
  expect(shown).toContain('Ninguém pagou este link.')
  expect(shown).toContain('Arquivado: ninguém pode pagá-lo')
  expect(shown).not.toContain('/editar"')
  expect(shown).not.toContain('Compartilhar')
  expect(await actionsOf(company)).toEqual([['link_archived', 'Bolo']])
})

test.each(['active', 'inactive'])(
  'an archived link that was %s is brought back so',
  async (status) => {
    const { company, dashboardClient } = await openClient()
    const link = await create(company, { status })
    const at = `${LINKS}/${link.id}`
    await dashboardClient.post(`${at}/arquivar`)

    const form = await dashboardClient.get(`${at}/editar`)
    const paused = await dashboardClient.post(`${at}/pausar`)
    const shown = await readPage(dashboardClient, at)
    const back = await dashboardClient.post(`${at}/desarquivar`)

    expect(form.headers.location).toBe(at)
    expect([paused.statusCode, paused.body]).toEqual([
      422,
      expect.stringContaining('Desarquive-o antes'),
    ])
    expect(shown).toContain(`action="${at}/desarquivar"`)
    expect(back.headers.location).toBe(`${at}?feito=link-desarquivado`)
    expect((await readLink(link.id)).status).toBe(status)
    expect(await actionsOf(company)).toEqual([
      ['link_unarchived', link.title],
      ['link_archived', link.title],
    ])
  },
)

test('a copy of a link that can be paid no more can be paid', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await create(company, { maxPayments: 1 })
  const expiresAt = new Date(clock.now().getTime() - HOUR_MS).toISOString()
  const gone = { expiresAt, status: 'archived', completedFrom: 'active' } as const
  await db.update(paymentLinks).set(gone).where(eq(paymentLinks.id, link.id))

  const response = await dashboardClient.post(`${LINKS}/${link.id}/duplicar`)

  const [, id = ''] = response.headers.location!.match(/links\/([\w-]+)/)!
  const copy = { status: 'active', expiresAt: null, maxPayments: 1, completedFrom: null }
  expect(await readLink(id)).toMatchObject(copy)
})
