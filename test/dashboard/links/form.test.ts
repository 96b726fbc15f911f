import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { formatLocalInput } from '../../../src/dashboard/layout/local-time.ts'
import { readNewLink, readLinkForm as readSentForm } from '../../../src/dashboard/links/form.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { companies } from '../../../src/database/tables.ts'
import {
  FILLED_LINK_FORM,
  openLinkDashboard,
  readFormErrors,
  readLinkForm,
  TAX_ID,
} from '../../support/dashboard/links.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { openClient, newCustomer, linksOf } = openLinkDashboard(testApp)

const NEW = '/painel/links/novo'
const DAY_MS = 24 * 3600 * 1000

test('a new form starts from what the company set, and asks for nothing else', async () => {
  const { company, dashboardClient } = await openClient()
  const defaults = { defaultMaxInstallments: 6, defaultInterestMode: 'pass_to_customer' } as const
  await db.update(companies).set(defaults).where(eq(companies.id, company.id))

  const form = await readLinkForm(dashboardClient, NEW)

  expect(form).toMatchObject({
    methods: ['pix', 'credit_card'],
    maxInstallments: ['6'],
    interestMode: ['pass_to_customer'],
    uses: ['unlimited'],
    title: [''],
    amount: [''],
  })
})

test('a member makes a link by title and price, and is shown how to share it', async () => {
  const { company, dashboardClient } = await openClient()

  const response = await dashboardClient.post(NEW, FILLED_LINK_FORM)
  const page = await dashboardClient.get(response.headers.location!)

  expect(response.statusCode).toBe(303)
  expect(page.body).toContain('Link criado.')
  expect(await linksOf(company)).toMatchObject([
    {
      ...{ title: 'Bolo de cenoura', amountCents: 1990, methods: ['pix'], status: 'active' },
      ...{ maxInstallments: 1, maxPayments: null, expiresAt: null, tags: [], metadata: {} },
    },
  ])
  const [entry] = await listAudit(db, company.id, { limit: 5 })
  expect(entry).toMatchObject({ action: 'link_created', actor: dashboardClient.email })
})

test('all that the API knows of a link can be said here', async () => {
  const { company, dashboardClient } = await openClient()
  const customerId = await newCustomer(company)

  await dashboardClient.post(NEW, {
    ...{ title: ' Curso ', amount: 'R$ 1.990,00', description: 'Duas linhas\r\nassim' },
    ...{ methods: ['pix', 'credit_card'], maxInstallments: '12', interestMode: 'pass_to_customer' },
    ...{ tags: 'curso, pães,, curso', uses: 'limited', maxPayments: ' 1.000 ' },
    ...{
      expiresAt: formatLocalInput(new Date(Date.now() + 30 * DAY_MS)),
      customer: '529.982.247-25',
    },
    ...{ redirectUrl: 'https://loja.com.br/obrigado', externalReference: 'P-1', paused: 'on' },
    ...{ inactiveMessage: 'Volte amanhã', metadataKey: ['pedido', ''], metadataValue: ['41', ''] },
  })

  const [link] = await linksOf(company)
  expect(link).toMatchObject({
    ...{ title: 'Curso', amountCents: 199_000, description: 'Duas linhas\nassim' },
    ...{ methods: ['pix', 'credit_card'], maxInstallments: 12, interestMode: 'pass_to_customer' },
    ...{ tags: ['curso', 'pães'], maxPayments: 1_000, linkedCustomerId: customerId },
    ...{ redirectUrl: 'https://loja.com.br/obrigado', externalReference: 'P-1' },
    ...{ status: 'inactive', inactiveMessage: 'Volte amanhã', metadata: { pedido: '41' } },
  })
  const left = Date.parse(link!.expiresAt!) - Date.now()
  expect(left).toBeGreaterThan(30 * DAY_MS - 61_000)
  expect(left).toBeLessThanOrEqual(30 * DAY_MS)
})

test('a link of a single use accepts one payment', () => {
  const form = readSentForm({ ...FILLED_LINK_FORM, uses: 'once', maxPayments: '9' })

  expect(readNewLink(form, null)).toMatchObject({ values: { maxPayments: 1 } })
})

/** What the form itself reads; the rules of the fields are the API's (payment-links/fields.test.ts). */
test.each<[string, Record<string, string | string[]>, string]>([
  ['amount', { amount: '' }, 'Informe um valor em reais (ex.: 1.990,00).'],
  ['amount', { amount: '1.500' }, '1.500 pode ser R$\u00a01.500,00 ou R$\u00a01,50.'],
  ['methods', { methods: [] }, 'Escolha ao menos uma forma de pagamento.'],
  ['maxInstallments', { methods: 'credit_card', maxInstallments: '13' }, 'de 1 a 12 parcelas'],
  ['expiresAt', { expiresAt: '31/12/9999 23:59' }, 'Informe um dia que exista'],
  ...['', '0', '1.00', '100.001'].map(
    (maxPayments) =>
      ['maxPayments', { uses: 'limited', maxPayments }, 'de 1 a 100.000.'] as [
        string,
        Record<string, string>,
        string,
      ],
  ),
  ['remindEveryDays', { remindEveryDays: '31' }, 'Informe de 1 a 30 dias'],
  ['metadata', { metadataKey: ['', ''], metadataValue: ['41', ''] }, 'Dê um nome'],
  ['metadata', { metadataKey: ['ã', 'a\u0303'], metadataValue: ['1', '2'] }, 'Use o nome "ã" uma'],
  ['customFields', { customOptions0: 'P' }, 'Escreva o que cada campo pergunta.'],
  [
    'customFields',
    { customLabel0: 'Tamanho', customType0: 'choice', customOptions0: 'P' },
    'Escreva de 2 a 20 opções de "Tamanho", uma por linha.',
  ],
  [
    'customFields',
    { customLabel0: 'Turma', customType0: 'text', customLabel1: 'Turma', customType1: 'text' },
    'Pergunte "Turma" uma vez só.',
  ],
  [
    'customFields',
    { customLabel0: 'Validade do cartão', customType0: 'text' },
    'Não peça dados de cartão',
  ],
])('%s is refused at its field: %j', (field, wrong, sentence) => {
  const form = readSentForm({ ...FILLED_LINK_FORM, ...wrong })

  expect(readNewLink(form, null)).toEqual({
    kind: 'invalid',
    errors: [{ field, message: expect.stringContaining(sentence) }],
  })
})

test('all that is wrong is said at once, in the order of the form, and what was typed stays', async () => {
  const { company, dashboardClient } = await openClient()
  const typed = {
    ...FILLED_LINK_FORM,
    title: '',
    amount: '1',
    methods: [],
    tags: `festa, "aspas", ${'x'.repeat(51)}`,
    expiresAt: '2020-01-01T10:00',
    customer: TAX_ID,
    redirectUrl: 'loja',
  }

  const { statusCode, body } = await dashboardClient.post(NEW, {
    ...typed,
    metadataKey: ['pedido', 'pedido'],
    metadataValue: ['41', '42'],
    customLabel0: 'Validade do cartão',
    customType0: 'text',
  })

  const fields = readFormErrors(body).map(([field]) => field)
  const places = fields.map((field) => body.indexOf(` id="${field}"`))
  const wrong = ['title', 'amount', 'expiresAt', 'customer', 'redirectUrl', 'metadata']
  expect(statusCode).toBe(422)
  expect(fields.toSorted()).toEqual([...wrong, 'methods', 'tags', 'customFields'].toSorted())
  expect(body).toContain('Nenhum cliente seu tem este CPF ou CNPJ.')
  const zeroless = await dashboardClient.post(NEW, { ...FILLED_LINK_FORM, customer: '1234567890' })
  expect(readFormErrors(zeroless.body)).toEqual([
    ['customer', expect.stringContaining('Você quis dizer 012.345.678-90?')],
  ])
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(body).toContain('<title>Erro: Novo link')
  expect(body).toContain('value="festa, &quot;aspas&quot;, x')
  expect(body).toContain('value="loja"')
  expect(body).toContain('value="pedido"')
  expect(body).toContain('<details class="card disclosure link-more" open>')
  expect(body).toContain('value="Validade do cartão"')
  expect(await linksOf(company)).toEqual([])
})
