import { expect, test } from 'vitest'
import type { Role } from '../../../src/database/enums.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import {
  findLinkHref,
  readFormFields,
  readTableRows,
  readTextsByClass,
} from '../../support/dashboard/html.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { openWebhookDashboard } from '../../support/dashboard/webhooks.ts'
import { readPageText } from '../../support/payer.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { app, clock, newCompany } = testApp
const { newMerchant, addLink, addPayment } = openPayments(testApp)
const { addReceiver, emit, deliver, actionsOf } = openWebhookDashboard(testApp)

/** Noon in São Paulo. */
const NOW = Date.parse('2026-11-21T15:00:00.000Z')
const HOUR_MS = 3_600_000
const START = '/painel'

/** So many hours before now. */
const ago = (hours: number) => new Date(clock.now().getTime() - hours * HOUR_MS).toISOString()

async function openClient({ role = 'owner', now = NOW }: { role?: Role; now?: number } = {}) {
  clock.offsetMs = now - Date.now()
  const testMerchant = await newMerchant()
  return {
    testMerchant,
    dashboardClient: await openDashboardClient(testApp, {
      companyId: testMerchant.companyId,
      role,
    }),
  }
}

const valuesIn = (html: string) => readTextsByClass(html, 'stat-value')

test('what came in is held against the time before', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  await addPayment(testMerchant, ago(1), { totalCents: 30_000 })
  await addPayment(testMerchant, ago(25), { totalCents: 20_000 })
  await addPayment(testMerchant, ago(8 * 24), { totalCents: 100_000 })

  const html = await readPage(dashboardClient, START)

  expect(readTextsByClass(html, 'today-value')).toEqual(['R$ 300,00'])
  expect(valuesIn(html)).toEqual(['R$ 500,00', 'R$ 1.500,00', '100%', 'R$ 0,00'])
  const notes = readTextsByClass(html, 'stat-note')
  expect(notes[0]).toBe('1 pagamento · ontem, até esta hora: R$ 200,00')
  expect(notes.filter((note) => note.includes('período'))).toEqual([
    '▼ 50% abaixo do período anterior',
    'Nada entrou no período anterior',
  ])
  expect(html).toContain('class="down"')
})

test('who paid today stands first: payer, link, hour and amount', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  const paymentLinkId = await addLink(testMerchant, 'Bolo de cenoura')
  await addPayment(testMerchant, ago(1), { paymentLinkId, payerName: 'Ana Lima' })
  await addPayment(testMerchant, ago(2), { status: 'refunded', refundedCents: 10_000 })
  await addPayment(testMerchant, ago(3), { status: 'declined', approvedAt: null })
  await addPayment(testMerchant, ago(26), { payerName: 'Bia' })

  const html = await readPage(dashboardClient, START)

  const rows = readTableRows(html)
  expect(rows).toHaveLength(3)
  expect(rows[0]).toEqual(['Ana Lima', '', 'Bolo de cenoura', 'Pix', 'hoje 11:00', 'R$ 100,00'])
  expect(rows[1]).toContain('Devolvido')
  expect(rows[2]).toEqual(expect.arrayContaining(['Bia', 'ontem 10:00']))
  expect(html).not.toContain('Ninguém pagou hoje')
})

test('thirty days stand in a picture and in a table, and both methods have their part', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  await addPayment(testMerchant, ago(1), { totalCents: 30_000 })
  await addPayment(testMerchant, ago(48), { method: 'credit_card', totalCents: 10_000 })
  await addPayment(testMerchant, ago(2), {
    method: 'credit_card',
    status: 'declined',
    approvedAt: null,
  })

  const html = await readPage(dashboardClient, START)

  const rows = readTableRows(html.slice(html.indexOf('Recebido por dia')))
  expect(rows).toHaveLength(30)
  expect(rows.at(-1)).toEqual(['21/11/2026', '1', 'R$ 300,00', 'R$ 0,00'])
  expect(rows.at(-3)).toEqual(['19/11/2026', '1', 'R$ 100,00', 'R$ 0,00'])
  expect(rows[0]).toEqual(['23/10/2026', '0', 'R$ 0,00', 'R$ 0,00'])
  expect(readTextsByClass(html, 'chart-tip')).toContain('21/11/2026')
  expect(html).toContain('2 de 3 tentativas concluídas')
  expect(html).toContain('75% do valor · 1 pagamento · 100% aprovados')
  expect(html).toContain('25% do valor · 1 pagamento · 50% aprovados')
})

test('who paid today and what wants to be done are open, all else is folded; empty, the first steps stand alone', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  const empty = await readPage(dashboardClient, START)
  await addPayment(testMerchant, ago(1))
  await addPayment(testMerchant, ago(2), { approvedAt: null, status: 'pending', holdReason: 'x' })

  const html = await readPage(dashboardClient, START)

  const open = readPageText(html.replaceAll(/<details(?! open)[\s\S]*?<\/details>/g, ''))
  expect(open).toMatch(/Recebido hoje R\$ 100,00 .*Maria da Silva.* 1 pagamento a verificar/)
  expect(open).not.toMatch(/Primeiros passos|30 dias|7 dias/)
  expect(readPageText(html)).toMatch(/Primeiros passos .* Últimos 30 dias R\$ 100,00/)
  expect(empty).toContain('first-steps" open')
  expect(readPageText(empty)).not.toMatch(/Recebido hoje|30 dias|O que pede atenção/)
})

test('the first key is created and shown once, with a command that works when pasted', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  const before = await readPage(dashboardClient, START)

  const form = readFormFields(before, `${START}/primeira-chave`)
  const made = await dashboardClient.post(`${START}/primeira-chave`, form)
  const again = await dashboardClient.post(`${START}/primeira-chave`, form)
  const [, command] = made.body.match(/<textarea id="curl"[^>]*>([^<]*)</)!
  const answer = await paste(command!.replaceAll('&#39;', "'").replaceAll('&quot;', '"'))
  const after = await readPage(dashboardClient, START)

  expect(before).toContain('SUA_CHAVE')
  expect(made.headers['cache-control']).toBe('no-store')
  const [, key] = made.body.match(/<input id="key"[^>]*value="(sk_live_\w+)"/)!
  expect(command).toContain(key)
  expect(answer.statusCode).toBe(201)
  expect(after).not.toContain(key)
  expect(again.headers.location).toBe('/painel/chaves?feito=chave-ja-criada')
  expect(await actionsOf(testMerchant.companyId)).toEqual([['key_created', 'Primeiros passos']])
})

/** As a shell and curl would send it. */
function paste(command: string) {
  const [, origin, path] = command.match(/^curl (https?:\/\/[^/]+)(\S+) \\\n/)!
  const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const [, payload] = command.match(/-d '([^']+)'$/)!
  expect(origin).toBe(testApp.needs.baseUrl)
  return app.inject({
    ...{ method: 'POST', url: path!, payload: payload! },
    headers: Object.fromEntries(headers),
  })
}

async function failADelivery(companyId: string) {
  await addReceiver(companyId, 'http://127.0.0.1:9/hook')
  await emit(companyId)
  await deliver()
}

test('what wants to be done is said with the way to it', async () => {
  const { testMerchant, dashboardClient } = await openClient({ now: Date.now() })
  const quiet = await readPage(dashboardClient, START)
  await addPayment(testMerchant, ago(1), {
    approvedAt: null,
    status: 'pending',
    holdReason: 'Outro valor',
  })
  await failADelivery(testMerchant.companyId)

  const html = await readPage(dashboardClient, START)

  expect(quiet).not.toContain('O que pede atenção')
  const held = findLinkHref(html, '1 pagamento a verificar')!
  const failed = findLinkHref(html, '1 notificação com falha em 24 horas')!
  expect(readTableRows(await readPage(dashboardClient, held))).toHaveLength(1)
  expect(readTableRows(await readPage(dashboardClient, failed))).toHaveLength(1)
})

test('the start page of the real environment says that no link can be paid there yet, in the first steps or without them', async () => {
  const company = await newCompany()
  const seat = { companyId: company.id, email: 'ambos@exemplo.com.br' }
  const dashboardClient = await openDashboardClient(testApp, seat)
  const before = readPageText(await readPage(dashboardClient, START))
  await dashboardClient.post('/painel/ambiente', { para: 'real' })

  const steps = readPageText(await readPage(dashboardClient, START))
  await dashboardClient.post(`${START}/primeiros-passos/ocultar`, {})
  const after = readPageText(await readPage(dashboardClient, START))

  expect(steps).toContain('Escolha o provedor')
  expect(steps).not.toContain('Ninguém pode pagar no ambiente real')
  expect(before).toContain('AMBIENTE DE TESTE')
  expect(before).not.toContain('Ninguém pode pagar no ambiente real')
  expect(after).toContain('Ninguém pode pagar no ambiente real ainda')
  expect(after).not.toContain('AMBIENTE DE TESTE')
})

test('the last payments lead to their pages, and of more to all of today; those of another company are not among them', async () => {
  const other = await newMerchant()
  const { testMerchant, dashboardClient } = await openClient()
  await addPayment(other, ago(1), { payerName: 'Outra Pessoa' })
  const id = await addPayment(testMerchant, ago(0.1))
  for (let n = 2; n <= 9; n++) {
    await addPayment(testMerchant, ago(n / 10), { payerName: `Pagador ${n}` })
  }

  const html = await readPage(dashboardClient, START)

  expect(findLinkHref(html, 'Maria da Silva')).toBe(`/painel/transacoes/${id}`)
  expect(findLinkHref(html, 'Pagador 8')).toBeDefined()
  expect(findLinkHref(html, 'Pagador 9')).toBeUndefined()
  expect(html).not.toContain('Outra Pessoa')
  const all = findLinkHref(html, 'Ver os 9 de hoje')!
  expect(readTableRows(await readPage(dashboardClient, all))).toHaveLength(9)
})
