// The page of one payment, and who sees what of it.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { transactions } from '../../../src/database/tables.ts'
import { paySandboxPix } from '../../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { executeRefund } from '../../../src/transactions/refunds/execute.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { openLinkDashboard, readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { buildTestCard, openCheckout, PIX, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { openClient } = openLinkDashboard(testApp)
const { newLink, pay, read: readPayment } = openCheckout(testApp)

const LIST = '/painel/transacoes'
const DAY_MS = 24 * 3_600_000

/** A Pix of R$ 100,00 that waits for its payer, with a member and an owner at the dashboard. */
async function openPix() {
  const { company, dashboardClient: member } = await openClient()
  const owner = await openDashboardClient(testApp, { companyId: company.id })
  const { row } = await pay(await newLink({}, company), PIX)
  const path = `${LIST}/${row.id}`
  const payCode = async (amountCents: number) => {
    await paySandboxPix(db, { transactionId: row.id, amountCents }, clock.now())
    await checkPayment(needs, await readPayment(row.id))
  }
  return { company, member, owner, id: row.id, path, payCode }
}

test('a held payment is among those to look at, and says what can be done', async () => {
  const { member, owner, path, payCode } = await openPix()
  await payCode(9_000)

  const list = await readPage(member, `${LIST}?verificar=sim`)
  const toMember = readPageText(await readPage(member, path))
  const toOwner = await readPage(owner, path)

  expect(readRowTitles(list)).toEqual(['Maria da Silva'])
  expect(list).toContain('<span class="badge badge-bad">Retido</span>')
  expect(toMember).toContain('O valor recebido (R$ 90,00) difere do cobrado (R$ 100,00).')
  expect(toMember).toContain('cabe a um proprietário')
  expect(toMember).not.toContain('Devolver R$')
  expect(toOwner).toContain(`href="${path}/devolver/tudo"`)
  expect(readPageText(toOwner)).toContain('Entrou R$ 90,00')
  expect(toOwner).not.toContain('Simular pagamento')
})

test('one payment is told whole: what, who, how, and its history with the newest last', async () => {
  const { company, dashboardClient } = await openClient()
  const fields = {
    maxInstallments: 12,
    interestMode: 'pass_to_customer',
    metadata: { pedido: '41' },
  }
  const link = await newLink({ ...fields, externalReference: 'P-9' }, company)
  const { row } = await pay(link, buildTestCard('ok', { installments: '3', cardLast4: '4242' }))

  const html = await readPage(dashboardClient, `${LIST}/${row.id}`)

  const text = readPageText(html)
  expect(text).toMatch(/Preço R\$ 100,00 Juros \(2,99% ao mês, pagos pelo cliente\) R\$ 6,05/)
  expect(text).toMatch(/Total R\$ 106,05 Parcelas 3x de R\$ 35,35/)
  expect(text).toContain('CPF/CNPJ ***.982.247-**')
  expect(text).toMatch(/Cartão Visa •••• 4242 Nome impresso MARIA SILVA/)
  expect(text).toMatch(/Identidade confirmada pelo banco \(3DS\), sem ação do pagador/)
  expect(text).toMatch(/Detalhes técnicos .*ECI 05/)
  expect(text).toContain('pedido 41')
  expect(text).toContain('Referência externa P-9')
  expect(html).toContain(`href="/painel/clientes/${row.customerId}"`)
  expect(html).toContain(`href="/painel/links/${link.id}"`)
  expect(html).toContain(`/payments/${row.token}"`)
  const history = [...html.matchAll(/<li class="tone-(\w+)">\s*<span>([^<]+)/g)]
  expect(history.map(([, tone]) => tone)).toEqual(['neutral', 'good', 'good'])
  expect(history.at(-1)![2]).toBe('Pagamento aprovado')
})

test('a decline is said in words, with what the bank calls it and what the payer read', async () => {
  const { company, dashboardClient } = await openClient()
  const { row } = await pay(await newLink({}, company), { ...buildTestCard('expired') })

  const text = readPageText(await readPage(dashboardClient, `${LIST}/${row.id}`))

  expect(text).toContain('Cartão vencido ou validade incorreta. O pagador leu: “Cartão vencido')
  expect(text).toContain('Código do erro (ABECS) 54')
  expect(text).toContain('Mesmo cartão de novo Não pode ser tentado')
})

test('a payment that came late can be given back with one click, by owners', async () => {
  const { company, member, owner, id, path, payCode } = await openPix()
  const expiresAt = new Date(Date.now() - DAY_MS).toISOString()
  const late = { status: 'expired', expiresAt } as const
  await db.update(transactions).set(late).where(eq(transactions.id, id))
  await payCode(10_000)

  const toMember = await readPage(member, path)
  const toOwner = await readPage(owner, path)
  await executeRefund(needs, { id: newId(), companyId: company.id, transactionId: id })
  const after = readPageText(await readPage(owner, path))

  expect(readPageText(toMember)).toContain('chegou depois do prazo')
  expect(toMember).not.toContain('/devolver')
  expect(toOwner).toContain(`href="${path}/devolver/tudo"`)
  expect(after).not.toContain('devolva o valor')
})

test('a Pix of test mode is paid by a button, once, and a card is not', async () => {
  const { company, member, id, path } = await openPix()
  const card = (await pay(await newLink({}, company), buildTestCard('generic'))).row

  const before = await readPage(member, path)
  const response = await member.post(`${path}/simular`)
  const after = await readPage(member, response.headers.location!)
  const again = await member.post(`${path}/simular`)
  const refused = await member.post(`${LIST}/${card.id}/simular`)

  expect(before).toContain('Simular pagamento')
  expect(after).toContain('Pagamento simulado.')
  expect(after).not.toContain('Simular pagamento')
  expect(await readPayment(id)).toMatchObject({ status: 'approved', paidLate: false })
  expect(again.headers.location).toBe(path)
  expect(refused.statusCode).toBe(404)
  expect(await readPayment(card.id)).toMatchObject({ status: 'declined' })
})
