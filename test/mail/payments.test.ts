// What payers and companies read by e-mail of payments: written with the approval, and to whom.
import { beforeEach, expect, test } from 'vitest'
import { anonymizeCustomer } from '../../src/customers/anonymize.ts'
import { eq } from '../../src/database/drizzle.ts'
import { mails } from '../../src/database/tables.ts'
import { paySandboxPix } from '../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { buildTestCard, openCheckout, PIX, type TestLink } from '../support/payer.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../support/smtp-server.ts'
import { BASE_URL, CHECKOUT_URL, openTestApp, type TestCompany } from '../support/test-app.ts'
import { settle } from '../support/transactions/settle.ts'
import { writeUser } from '../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { db, clock, needs } = testApp
const { newLink, pay: payAsStranger, read, editCompany } = openCheckout(testApp)

beforeEach(async () => {
  await db.delete(mails)
})

const TITLE = `<b>Bolo</b> & "café"`

/** A company with an owner who reads its notices, and a link of R$ 100,00 of it. */
async function testMerchant(settings: Parameters<typeof editCompany>[1] = {}, link: object = {}) {
  const company = await testApp.newCompany(`Padaria "Sol" <script>alert(1)</script>`)
  const email = `dona-${company.id.slice(-12)}@sol.example.com`
  await writeUser(db, { companyId: company.id, email, role: 'owner' })
  await writeUser(db, { companyId: company.id, email: payerOf(company.id), role: 'member' })
  await editCompany(company.id, { taxId: '12ABC34501DE35', color: '#e8b500', ...settings })
  return { company, owner: email, link: await newLink({ title: TITLE, ...link }, company) }
}

/** Somebody of the company, who pays it in its test environment. */
const payerOf = (companyId: string) => `maria-${companyId.slice(-12)}@sol.example.com`

function pay(link: TestLink, filled: object) {
  return payAsStranger(link, { ...filled, email: payerOf(link.companyId) })
}

async function queuedOf({ id }: Pick<TestCompany, 'id'>) {
  const rows = await db.select().from(mails).where(eq(mails.companyId, id)).orderBy(mails.template)
  return rows.map(({ template, recipient, subjectId }) => ({ template, recipient, subjectId }))
}

async function paidByPix(link: Awaited<ReturnType<typeof newLink>>, amountCents = 10_000) {
  const { row } = await pay(link, PIX)
  await paySandboxPix(db, { transactionId: row.id, amountCents }, clock.now())
  return checkPayment(needs, row)
}

test('a payer gets a receipt, and the company is told, when a link is paid', async () => {
  const support = { supportEmail: 'ajuda@sol.example.com', supportPhone: '(11) 98765-4321' }
  const { link, owner } = await testMerchant(support, {
    maxInstallments: 12,
    interestMode: 'pass_to_customer',
  })
  const { row, url } = await pay(
    link,
    buildTestCard('ok', { installments: '3', cardLast4: '4242' }),
  )
  const smtpServer = await openSmtpServer()
  const payer = payerOf(link.companyId)

  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  const [receipt] = smtpServer.received.filter(({ envelope }) => envelope.to[0] === payer)
  const [notice] = smtpServer.received.filter(({ envelope }) => envelope.to[0] === owner)
  expect(smtpServer.received).toHaveLength(2)
  expect(receipt).toMatchObject({
    subject: '[Teste] Comprovante: R$ 106,05 para Padaria "Sol" <script>alert(1)</script>',
    from: {
      name: 'Padaria "Sol" <script>alert(1)</script>',
      address: 'nao-responda@vintem.example.com',
    },
    to: [{ address: payer }],
    replyTo: [{ address: 'ajuda@sol.example.com' }],
  })
  const facts = ['12.ABC.345/01DE-35', '106,05', '3x de', '35,35', row.id, url, 'Visa •••• 4242']
  for (const body of [receipt!.text!, receipt!.html!]) {
    for (const fact of [...facts, support.supportEmail, support.supportPhone, 'MODO DE TESTE']) {
      expect(body).toContain(fact)
    }
  }
  expect(receipt!.text).toContain(TITLE)
  expect(receipt!.html).toContain('&lt;b&gt;Bolo&lt;/b&gt; &amp; &quot;café&quot;')
  expect(receipt!.html).not.toMatch(/<script|<b>/)
  expect(notice!.subject).toBe(`[Teste] Pagamento recebido: R$ 106,05 · ${TITLE}`)
  for (const body of [notice!.text!, notice!.html!]) {
    expect(body).toContain(`${BASE_URL}/painel/transacoes/${row.id}`)
    expect(body).toContain('Maria da Silva')
  }
})

test.each([
  [9_999, ['payment-held']],
  [10_000, ['payment', 'receipt']],
  [10_001, ['payment', 'payment-overpaid', 'receipt']],
])(
  'a Pix of %d cents for a link of 10,000 is told as it is, and to whom',
  async (cents, templates) => {
    const { link, company, owner } = await testMerchant()

    const { id: subjectId } = await paidByPix(link, cents)

    const recipients: Record<string, string> = { receipt: payerOf(company.id) }
    expect(await queuedOf(company)).toEqual(
      templates.map((template) => ({
        template,
        recipient: recipients[template] ?? owner,
        subjectId,
      })),
    )
  },
)

test('an approval that is not committed leaves no mail, and one without its mails is none', async () => {
  const { link, company } = await testMerchant()
  const { row } = await pay(link, PIX)
  const paid = { reference: row.providerReference!, paidCents: 10_000, paidAt: row.createdAt }
  const approval = { status: 'approved', ...paid } as const
  const context = { checkoutUrl: CHECKOUT_URL, now: clock.now(), mail: needs.mail }
  const refuse = (trigger: string) => `
    create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create ${trigger} for each row execute function refuse()`
  const relent = 'drop function refuse() cascade'

  await db.$client.query(
    refuse('constraint trigger refuse after update on transactions initially deferred'),
  )
  await expect(settle(db, row, approval, context)).rejects.toThrow()
  expect(await queuedOf(company)).toEqual([])
  await db.$client.query(relent)

  await db.$client.query(refuse('trigger refuse before insert on mails'))
  await expect(settle(db, row, approval, context)).rejects.toThrow()
  await db.$client.query(relent)

  expect(await read(row.id)).toMatchObject({ status: 'pending' })
  expect(await settle(db, row, approval, context)).toMatchObject({
    kind: 'settled',
    payment: { status: 'approved' },
  })
  expect(await queuedOf(company)).toHaveLength(2)
})

test('a customer who is forgotten is forgotten in the outbox too', async () => {
  const { link, company } = await testMerchant()
  const person = { name: 'Zuleica Quaresma', email: 'zuleica@example.com', taxId: '39053344705' }
  await writeUser(db, { companyId: company.id, email: person.email, role: 'member' })
  const { row } = await payAsStranger(link, { ...buildTestCard('ok'), ...person })
  const other = await pay(link, buildTestCard('ok'))
  const smtpServer = await openSmtpServer()
  const sending = buildMailNeeds(testApp, smtpServer.url)
  await sendAllMails(sending)

  await anonymizeCustomer(db, company.id, row.customerId, clock.now())

  const left = await queuedOf(company)
  expect(left).toHaveLength(2)
  expect(left.every(({ subjectId }) => subjectId === other.row.id)).toBe(true)
  expect(JSON.stringify(await db.select().from(mails))).not.toMatch(/zuleica/i)
})

test('a code that somebody pays who was forgotten meanwhile sends no receipt', async () => {
  const { link, company } = await testMerchant()
  const { row } = await pay(link, PIX)
  await anonymizeCustomer(db, company.id, row.customerId, clock.now())
  await paySandboxPix(db, { transactionId: row.id, amountCents: 10_000 }, clock.now())

  await checkPayment(needs, row)

  expect((await queuedOf(company)).map(({ template }) => template)).toEqual(['payment'])
  expect(JSON.stringify(await db.select().from(mails))).not.toMatch(/maria/i)
})
