// Disputes at the dashboard: their list, their payment's page, and what Início says of them.
import { expect, test } from 'vitest'
import { addDelay, DAY_MS } from '../../../src/database/instant.ts'
import { formatDay } from '../../../src/format.ts'
import type { ProviderDispute } from '../../../src/providers/provider.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readTableRows } from '../../support/dashboard/html.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openDisputes } from '../../support/transactions/disputes.ts'

const testApp = await openTestApp()
const { needs } = testApp
const { openPaidPix, buildDispute, read } = openDisputes(testApp)

const LIST = '/painel/transacoes/contestacoes'
const RESPOND_BY = '2099-01-10T12:00:00.000Z'

/** A payment of R$ 100,00 with R$ 40,00 contested, and a person who looks. */
async function contested(more: Partial<ProviderDispute> = {}) {
  const { row, company, charge } = await openPaidPix()
  const dispute = buildDispute({ amountCents: 4_000, respondBy: RESPOND_BY, ...more })
  charge.disputes = [dispute]
  await checkPayment(needs, row)
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })
  const text = async (path: string) => readPageText(await readPage(dashboardClient, path))
  return { row, charge, dispute, dashboardClient, text }
}

test('they are listed with reason, state and deadline, narrowed by state, and only to their company', async () => {
  const { row, dashboardClient } = await contested()
  const { company } = await openPaidPix()
  const stranger = await openDashboardClient(testApp, { companyId: company.id })

  const all = await readPage(dashboardClient, LIST)
  const lost = await readPage(dashboardClient, `${LIST}?status=lost`)

  expect(readTableRows(all)).toMatchObject([
    [
      expect.stringContaining('Maria'),
      'Em análise',
      expect.stringMatching(/^Pix \(MED\).*golpe ou fraude/),
      expect.stringMatching(/^(hoje|ontem) \d\d:\d\d$/),
      '10/01/2099 09:00',
      'R$ 40,00',
    ],
  ])
  expect(all).toContain(`href="/painel/transacoes/${row.id}"`)
  expect(readTableRows(lost)).toEqual([])
  expect(readPageText(lost)).toContain('Nenhuma contestação nesta situação')
  expect(readTableRows(await readPage(stranger, LIST))).toEqual([])
})

test('Início and the payment say what is contested, until when to answer and where, and then what was lost', async () => {
  const { row, charge, dispute, text } = await contested()
  const path = `/painel/transacoes/${row.id}`

  const [home, open, refund] = [
    await text('/painel'),
    await text(path),
    await text(`${path}/devolver`),
  ]
  charge.disputes = [{ ...dispute, status: 'lost' }]
  await checkPayment(needs, await read(row.id))
  const [homeAfter, lost] = [await text('/painel'), await text(path)]

  expect(home).toContain('1 pagamento contestado: responda até 10/01/2099')
  expect(open).toContain('Pagamento contestado: R$ 40,00 em análise')
  expect(open).toMatch(/Responda pelo seu banco.+Responda até 10\/01\/2099/)
  expect(open).toMatch(/Pagador contestou R\$ 40,00 com o banco dele \(MED\)/)
  expect(refund).toContain('Até R$ 60,00')
  expect(homeAfter).not.toContain('contestado')
  expect(lost).toContain('Perdido em contestação − R$ 40,00')
  expect(lost).toContain('Depois das devoluções R$ 60,00')
  expect(lost).toContain('Contestação de R$ 40,00 perdida: o valor voltou ao pagador')
  expect(lost).not.toContain('em análise')
  expect(lost).toMatch(/Nada a fazer: encerrada em \d\d\/\d\d\/\d{4}/)
})

test.each<[string, Partial<ProviderDispute>, string]>([
  ['by its own deadline', { kind: 'card' }, 'Responda até 10/01/2099 09:00'],
  [
    'a card without one as the provider says there',
    { kind: 'card', respondBy: null },
    'O provedor não nos disse o prazo: confira-o lá.',
  ],
  [
    'no more once the deadline is over',
    { respondBy: '2020-01-10T12:00:00.000Z' },
    'O prazo para responder terminou em 10/01/2020 09:00',
  ],
])('an open one is to be answered: %s', async (_name, more, sentence) => {
  const { row, text } = await contested(more)

  const page = await text(`/painel/transacoes/${row.id}`)

  expect(page).toContain(`Responda pelo seu banco, que recebeu a contestação. ${sentence}`)
  expect(page).not.toContain('Nada a fazer')
})

test('a MED without a deadline of its own is to be answered within seven days of its opening', async () => {
  const { row, dispute, text } = await contested({ respondBy: null })
  const day = formatDay(addDelay(new Date(dispute.openedAt), 7 * DAY_MS))

  const page = await text(`/painel/transacoes/${row.id}`)

  expect(page).toContain(`Responda até ${day} . São sete dias desde a abertura.`)
  expect(page).toContain(`Responder até ${day}`)
  expect(await text(LIST)).toContain(day)
  expect(await text('/painel')).toContain(`1 pagamento contestado: responda até ${day}`)
})
