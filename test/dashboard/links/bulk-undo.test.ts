// A change of many links, undone: within ten seconds, once, by who made it, and only what still is as it was left.
import { afterEach, expect, test } from 'vitest'
import { emitDueExpiries } from '../../../src/payment-links/expire.ts'
import { LINKS, openLinkBulks } from '../../support/dashboard/bulks.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { openLinkDashboard, readLinkForm, readPage } from '../../support/dashboard/links.ts'
import { openCheckout, PIX } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock } = testApp
const { openClient, linksOf, readLink } = openLinkDashboard(testApp)
const { openLinks, statesOf, auditOf } = openLinkBulks(testApp)
const { pay, listEventTypes } = openCheckout(testApp)

const SECOND_MS = 1_000

afterEach(() => {
  clock.offsetMs = 0
})

test('for ten seconds it is undone, each link becoming what it was', async () => {
  const { company, ids, act, undo, readNotice } = await openLinks(
    { tags: ['a'] },
    { status: 'inactive' },
    {},
  )
  const address = await act({ link: ids, acao: 'arquivar' }, '?tag=')
  clock.offsetMs = 9 * SECOND_MS

  const undone = await undo(address)

  expect(await statesOf(ids)).toEqual(['active', 'inactive', 'active'])
  expect((await readLink(ids[0]!)).tags).toEqual(['a'])
  expect(await readNotice(undone.address)).toMatch(/3 links voltaram a ser como eram\.$/)
  expect(await auditOf(company)).toEqual([
    ['links_restored', null, '3'],
    ['links_archived', null, '3'],
  ])
})

test('after ten seconds the button is gone, and what was on its way for five more still counts', async () => {
  const { client, ids, act, readNotice } = await openLinks({})
  const address = await act({ link: ids, acao: 'arquivar' })
  const id = address.split('lote=')[1]!
  const undoAt = async (seconds: number) => {
    clock.offsetMs = seconds * SECOND_MS
    const { headers } = await client.post(`${LINKS}/lote/${id}/desfazer`)
    return readNotice(String(headers.location))
  }
  clock.offsetMs = 10 * SECOND_MS

  const late = await readNotice(address)
  const refused = await undoAt(16)
  const stillArchived = await statesOf(ids)
  const taken = await undoAt(14)

  expect(late).toMatch(/1 link arquivado\.$/)
  expect(refused).toContain('Nada foi desfeito')
  expect(stillArchived).toEqual(['archived'])
  expect(taken).toContain('1 link voltou a ser como era.')
})

test('it is undone once, though the button is pressed twice at once', async () => {
  const { company, client, ids, act } = await openLinks({}, {})
  const address = await act({ link: ids, acao: 'pausar' })
  const path = `${LINKS}/lote/${address.split('lote=')[1]}/desfazer`

  await Promise.all([client.post(path), client.post(path)])
  await client.post(path)

  expect(await statesOf(ids)).toEqual(['active', 'active'])
  expect((await auditOf(company)).map(([action]) => action)).toEqual([
    'links_restored',
    'links_paused',
  ])
})

test('a link that somebody changed between the change and its undo is kept, and named', async () => {
  const { company, ids, act, undo, readNotice } = await openLinks(
    ...['Bolo', 'Torta', 'Pão'].map((title) => ({ title })),
  )
  const other = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const address = await act({ link: ids, acao: 'pausar' })
  clock.offsetMs = SECOND_MS
  const form = await readLinkForm(other, `${LINKS}/${ids[0]}/editar`)
  await other.post(`${LINKS}/${ids[0]}/editar`, { ...form, title: 'Bolo de milho' })
  await other.post(`${LINKS}/${ids[1]}/reativar`)
  await other.post(`${LINKS}/${ids[1]}/pausar`)

  const undone = await undo(address)

  expect(await statesOf(ids)).toEqual(['inactive', 'inactive', 'active'])
  expect(await readNotice(undone.address)).toMatch(
    /1 link voltou a ser como era\. 2 mudaram depois e ficaram como estão \(“Bolo de milho”, “Torta”\)\.$/,
  )
})

test('nobody else undoes it, of the company or not', async () => {
  const { company, ids, act } = await openLinks({})
  const address = await act({ link: ids, acao: 'pausar' })
  const path = `${LINKS}/lote/${address.split('lote=')[1]}/desfazer`
  const colleague = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const stranger = (await openClient()).dashboardClient

  const refused = [await colleague.post(path), await stranger.post(path)]
  const shown = await colleague.get(address)

  expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404])
  expect(shown.body).not.toContain(' outcome"')
  expect(await statesOf(ids)).toEqual(['inactive'])
})

test('a link whose last payment came in meanwhile is completed by the undo, and that is told', async () => {
  const { client, company, ids, act, undo } = await openLinks({ maxPayments: 1 })
  const [link] = await linksOf(company)
  const { row } = await pay(link!, PIX)
  const address = await act({ link: ids, acao: 'arquivar' })
  await client.post(`/painel/transacoes/${row.id}/simular`)
  const archived = await statesOf(ids)

  await undo(address)

  expect([...archived, ...(await statesOf(ids))]).toEqual(['archived', 'completed'])
  expect(await listEventTypes({ companyId: company.id })).toContain('payment_link.completed')
})

test.each(['pausar', 'arquivar'])(
  'links that expired just before they were changed at once (%s) are told of, once each',
  async (acao) => {
    const expiresAt = new Date(clock.now().getTime() + 5 * SECOND_MS).toISOString()
    const { company, ids, act } = await openLinks({ expiresAt }, { expiresAt }, {})
    clock.offsetMs = 6 * SECOND_MS

    await act({ link: ids, acao })
    await emitDueExpiries(testApp.needs, clock.now())

    expect(await listEventTypes({ companyId: company.id })).toEqual([
      'payment_link.expired',
      'payment_link.expired',
    ])
  },
)

test('a link that expires before a change is undone is told of before it is paused again', async () => {
  const expiresAt = new Date(clock.now().getTime() + 5 * SECOND_MS).toISOString()
  const { company, ids, act, undo } = await openLinks({ expiresAt, status: 'inactive' })
  const address = await act({ link: ids, acao: 'reativar' })
  clock.offsetMs = 6 * SECOND_MS

  await undo(address)
  await emitDueExpiries(testApp.needs, clock.now())

  expect(await statesOf(ids)).toEqual(['inactive'])
  expect(await listEventTypes({ companyId: company.id })).toEqual(['payment_link.expired'])
})

test('links that are archived are brought back together, each as it was, and change no other way', async () => {
  const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
  const { company, ids, act, readNotice, undo } = await openLinks(
    ...[{}, { status: 'inactive' }, { expiresAt }],
  )
  await act({ link: ids, acao: 'arquivar' })
  clock.offsetMs = 120_000

  const paused = await readNotice(await act({ link: ids, acao: 'pausar' }, '?status=archived'))
  const address = await act({ todos: 'on', acao: 'desarquivar' }, '?status=archived')
  const back = await statesOf(ids)
  const notice = await readNotice(address)
  await undo(address)

  expect(paused).toContain('Nada mudou. 3 não: estão arquivados; desarquive-os antes')
  expect(back).toEqual(['active', 'inactive', 'active'])
  expect(notice).toContain('3 links desarquivados.')
  const owner = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const log = await readPage(owner, '/painel/registro?acao=links_unarchived')
  for (const id of ids) expect(log).toContain(`<a href="/painel/links/${id}">`)
  expect(await statesOf(ids)).toEqual(ids.map(() => 'archived'))
  expect(await auditOf(company)).toEqual([
    ['links_restored', null, '3'],
    ['links_unarchived', null, '3'],
    ['links_archived', null, '3'],
  ])
})
