// The file with what is known of a payment, to be sent to the bank or provider that asks for proof.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { findLinkHref } from '../../support/dashboard/html.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { findHtmlFaults } from '../../support/html-faults.ts'
import { buildTestCard, openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openDisputes } from '../../support/transactions/disputes.ts'

const testApp = await openTestApp()
const { db, needs, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)
const { openPaidPix, buildDispute } = openDisputes(testApp)

const PAYMENTS = '/painel/transacoes'
const SCRIPT = '<script>alert("x")</script>'

/** A card payment in three parts, of a link with texts as hostile and as long as they may be. */
async function openCardPayment() {
  const company = await newCompany()
  const title = `${SCRIPT}${'W'.repeat(100)}`
  const description = `Entrega em dez dias.\n${'x'.repeat(2_000)}`
  const fields = { title, description, maxInstallments: 12, interestMode: 'pass_to_customer' }
  const link = await newLink({ ...fields, statementDescriptor: 'PADARIA SOL' }, company)
  const card = buildTestCard('ok', { installments: '3', cardLast4: '4242' })
  const { row } = await pay(link, card)
  const customFields = [{ key: 'turma', label: 'Turma', type: 'text' as const, value: SCRIPT }]
  await db.update(transactions).set({ customFields }).where(eq(transactions.id, row.id))
  return { company, link, id: row.id, description }
}

async function download(companyId: string, id: string, role: 'owner' | 'finance' = 'owner') {
  const client = await openDashboardClient(testApp, { companyId, role })
  return client.get(`${PAYMENTS}/${id}/prova.html`)
}

test('the proof of a card payment is one file with all that is known of it', async () => {
  const { company, link, id, description } = await openCardPayment()

  const { statusCode, headers, body } = await download(company.id, id)

  const text = readPageText(body)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': `attachment; filename="prova-${id}.html"`,
    'cache-control': 'no-store',
  })
  expect(findHtmlFaults('prova', body)).toEqual([])
  expect(text).toContain('Empresa Nome Padaria Sol')
  expect(text).toMatch(
    /Preço R\$ 100,00 Juros R\$ 6,05, 2,99% ao mês, pagos pelo cliente Total R\$ 106,05 Parcelas 3x de R\$ 35,35/,
  )
  expect(text).toContain('Cartão Visa •••• 4242 Nome impresso MARIA SILVA')
  expect(text).toMatch(/Identidade confirmada pelo banco \(3DS\), sem ação do pagador ECI 05/)
  expect(text).toContain('Nome na fatura do cartão PADARIA SOL')
  expect(text).toContain(`/${link.slug}`)
  expect(body).toContain(description)
  expect(text).toContain('CPF/CNPJ 529.982.247-25')
  expect(text).toContain('Pagamento aprovado')
  expect(text).toContain('Nenhuma devolução')
  expect(text).not.toContain('webhook')
  expect(text).toContain('Prova de entrega')
  expect(text).toContain(id)
})

test('it runs nothing, loads nothing and shows as words what looks like markup', async () => {
  const { company, id } = await openCardPayment()

  const { body } = await download(company.id, id)

  expect(body).not.toMatch(/<script|<link|<iframe|<object|<form|@import|url\(| on\w+="/i)
  expect(body).not.toMatch(/ (src|href|action)="/)
  expect(body.match(/&lt;script&gt;/g)!.length).toBeGreaterThan(1)
})

test('only roles that see whole documents in tables send one', async () => {
  const { company, id } = await openCardPayment()

  const text = readPageText((await download(company.id, id, 'finance')).body)

  expect(text).toContain('CPF/CNPJ ***.982.247-**')
  expect(text).not.toContain('529.982.247-25')
})

test('that of a disputed Pix has its end-to-end id and the dispute, and its page leads to it', async () => {
  const { row, company, charge } = await openPaidPix()
  charge.disputes = [buildDispute({ amountCents: 4_000 })]
  const { pixEndToEndId } = await checkPayment(needs, row)
  const owner = await openDashboardClient(testApp, { companyId: company.id })

  const page = await readPage(owner, `${PAYMENTS}/${row.id}`)
  const { body } = await owner.get(findLinkHref(page, 'Baixar a prova')!)

  const text = readPageText(body)
  expect(text).toContain(`Identificador do Pix ${pixEndToEndId}`)
  expect(text).toMatch(/Contestações R\$ 40,00 · Em análise · Pix \(MED\) · .*golpe ou fraude/)
})

test('no other company gets it', async () => {
  const { id } = await openCardPayment()

  expect((await download((await newCompany()).id, id)).statusCode).toBe(404)
})
