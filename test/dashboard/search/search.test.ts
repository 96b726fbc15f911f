// One search over all that a company has.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { newId, newIdAt } from '../../../src/database/id.ts'
import { transactions } from '../../../src/database/tables.ts'
import { openLinkDashboard, readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { openPaymentDashboard } from '../../support/dashboard/payments.ts'
import { openCheckout, PIX } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { openMerchant, payCode } = openPaymentDashboard(testApp)
const { openClient } = openLinkDashboard(testApp)
const { newLink, pay } = openCheckout(testApp)
const merchant = await openMerchant()
const DAY_MS = 86_400_000

type Client = (typeof merchant)['dashboardClient']

/** What is found, by the heading that it stands under. */
async function search(client: Client, q: string) {
  const html = await readPage(client, `/painel/busca?${new URLSearchParams({ q })}`)
  const groups = [...html.matchAll(/<h2 id="found-(\w+)">[\s\S]*?<\/section>/g)]
  return Object.fromEntries(
    groups.map(([text, name]) => [
      name,
      [...text.matchAll(/class="found-title">([^<]*)</g)].map(([, title]) => title),
    ]),
  )
}

test('a payment is found by whatever is known of it, and with it its link and its payer', async () => {
  const { dashboardClient, maria, pedro, bolo } = merchant
  const paid = await payCode(pedro.id, 10_000)
  const payments = async (q: string) => (await search(dashboardClient, q)).payments

  for (const q of [maria.id, 'P-1', 'bolo silva', 'BOLO', '529.982.247-25']) {
    expect([q, await payments(q)]).toEqual([q, ['Maria Silva']])
  }
  for (const q of [pedro.pixTxid!, paid.pixEndToEndId!, 'pedro', 'souza hoje']) {
    expect([q, await payments(q)]).toEqual([q, ['Pedro Souza']])
  }
  expect(await payments('100,00')).toEqual(['Pedro Souza', 'Joana Silva', 'Maria Silva'])
  expect(await search(dashboardClient, 'silva')).toEqual({
    payments: ['Joana Silva', 'Maria Silva'],
    people: ['Joana Silva', 'Maria Silva'],
  })
  expect(await search(dashboardClient, bolo.slug)).toEqual({ links: ['Bolo'] })
  expect(await search(dashboardClient, bolo.id)).toEqual({ links: ['Bolo'] })
  expect(await search(dashboardClient, `https://pague.example/pagar/${bolo.slug}`)).toEqual({
    links: ['Bolo'],
  })
  expect(await search(dashboardClient, maria.customerId)).toEqual({ people: ['Maria Silva'] })
  expect(await search(dashboardClient, newId())).toEqual({})
  expect(await search(dashboardClient, 'silva bolo curso')).toEqual({})
})

test('Maria of yesterday is found among all others of her name', async () => {
  const { company, dashboardClient } = merchant
  const link = await newLink({ title: 'Aula' }, company)
  const { row } = await pay(link, { ...PIX, name: 'Maria Rara' })
  const yesterday = new Date(clock.now().getTime() - DAY_MS)
  await db
    .update(transactions)
    .set({ id: newIdAt(yesterday.getTime()), createdAt: yesterday.toISOString() })
    .where(eq(transactions.id, row.id))

  expect(await search(dashboardClient, 'maria ontem')).toEqual({ payments: ['Maria Rara'] })
  expect(await search(dashboardClient, 'ontem')).toEqual({ payments: ['Maria Rara'] })
  expect(await search(dashboardClient, 'maria anteontem')).toEqual({})
  expect(await search(dashboardClient, 'maria ontem 100,00')).toEqual({ payments: ['Maria Rara'] })
  expect(await search(dashboardClient, 'maria ontem 100,01')).toEqual({})
})

test('a title with a day in it is found, and an e-mail by all that is behind its @', async () => {
  const { company, dashboardClient } = await openClient()
  const email = 'ana.lima@lima.example'
  await pay(await newLink({ title: 'Show 20/12' }, company), { ...PIX, name: 'Ana', email })

  expect(await search(dashboardClient, 'show 20/12')).toEqual({
    payments: ['Ana'],
    links: ['Show 20/12'],
  })
  for (const q of ['lima.example', '@lima.example', 'lima.lima']) {
    expect([q, (await search(dashboardClient, q)).payments]).toEqual([q, ['Ana']])
  }
  const list = await readPage(dashboardClient, '/painel/transacoes?q=show+20/12+lima.example')
  expect(readRowTitles(list)).toEqual(['Ana'])
})

test('documents stay masked, and what people wrote is text', async () => {
  const { company, dashboardClient } = merchant
  const name = '<img src=x onerror=alert(1)> "Ana" & Cia'
  await pay(await newLink({ title: '<b>Bolo</b>' }, company), { ...PIX, name })
  const markup = '<script>alert(1)</script>'

  const page = await readPage(dashboardClient, `/painel/busca?q=${encodeURIComponent(markup)}`)
  const options = await readPage(dashboardClient, '/painel/busca?q=ana')
  const found = await readPage(dashboardClient, '/painel/busca?q=maria')

  expect(page).toContain('value="&lt;script&gt;alert(1)&lt;/script&gt;"')
  for (const html of [page, options]) expect(html).not.toMatch(/<(img src|b>|script>alert)/)
  expect(options).toContain('&lt;img src=x')
  expect(found).toContain('***.982.247-**')
  expect(found).not.toMatch(/529\.?982\.?247-?25/)
})

test('whatever is typed is answered', async () => {
  const { dashboardClient } = merchant
  const odd = ["'", '\\', '%00', 'abc\0', "a' & !b", 'W'.repeat(300), ':*', '<->', '\u{1f600}']
  for (const q of [...odd, 'ﬁ', '\u200b', '0000-01-01', 'maria 1/1/0000']) {
    const page = await dashboardClient.get(`/painel/busca?${new URLSearchParams({ q })}`)
    expect([q, page.statusCode]).toEqual([q, 200])
  }
  expect((await dashboardClient.get('/painel/busca?q=%00&q=b')).statusCode).toBe(200)
})
