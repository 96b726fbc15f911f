// Many links changed at once and brought back by the opposite of what was done; links that expired meanwhile.
import { afterEach, expect, test } from 'vitest'
import { emitDueExpiries } from '../../../src/payment-links/expire.ts'
import { openLinkBulks } from '../../support/dashboard/bulks.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { openCheckout } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock } = testApp
const { openLinks, statesOf, auditOf } = openLinkBulks(testApp)
const { listEventTypes } = openCheckout(testApp)

const SECOND_MS = 1_000

afterEach(() => {
  clock.offsetMs = 0
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

test('links that are archived are brought back together, each as it was, and change no other way', async () => {
  const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
  const { company, ids, act, readNotice } = await openLinks(
    ...[{}, { status: 'inactive' }, { expiresAt }],
  )
  await act({ link: ids, acao: 'arquivar' })
  clock.offsetMs = 120_000

  const paused = await readNotice(await act({ link: ids, acao: 'pausar' }, '?status=archived'))
  const address = await act({ todos: 'on', acao: 'desarquivar' }, '?status=archived')
  const back = await statesOf(ids)
  const notice = await readNotice(address)

  expect(paused).toContain('Nada mudou. 3 não: estão arquivados; desarquive-os antes')
  expect(back).toEqual(['active', 'inactive', 'active'])
  expect(notice).toContain('3 links desarquivados.')
  const owner = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const log = await readPage(owner, '/painel/registro?acao=links_unarchived')
  for (const id of ids) expect(log).toContain(`<a href="/painel/links/${id}">`)
  expect(await auditOf(company)).toEqual([
    ['links_unarchived', null, '3'],
    ['links_archived', null, '3'],
  ])
})
