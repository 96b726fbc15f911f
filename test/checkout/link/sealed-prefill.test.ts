// A link of one payment with its payer's data sealed in its address: `prefill` when it is created.
import { expect, test } from 'vitest'
import { openPayerBrowser, PIX, readFormFields } from '../../support/payer.ts'
import { MINIMAL_LINK, openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, newCompany } = testApp

const PAYER = { name: 'Ana Souza', email: 'ana@exemplo.com.br', taxId: '111.444.777-35' }
const PATH = '/api/payment-links'

async function newSealed(company: TestCompany, prefill: object = PAYER, fields: object = {}) {
  const link = { ...MINIMAL_LINK, maxPayments: 1, prefill, ...fields }
  const response = await company.post(PATH, link)
  expect(response.statusCode).toBe(201)
  const { id, slug, prefilledUrl } = response.json()
  return { id, slug, path: new URL(prefilledUrl).pathname + new URL(prefilledUrl).search }
}

test('the form is filled in, the document masked, and the payment is of that person', async () => {
  const company = await newCompany()
  const { slug, path } = await newSealed(company)
  const browser = openPayerBrowser(app)

  const { body, headers } = await browser.get(path)
  const { name, email, taxId } = readFormFields(body)
  const sent = { ...readFormFields(body), ...PIX }
  const refused = await browser.post(`/pagar/${slug}/payments`, { ...sent, name: '' })
  const paid = await browser.post(`/pagar/${slug}/payments`, sent)

  expect([name, email, taxId]).toEqual(['Ana Souza', 'ana@exemplo.com.br', undefined])
  expect(body).toContain('***.444.777-**')
  expect(headers['cache-control']).toBe('no-store')
  expect([refused.statusCode, paid.statusCode]).toEqual([422, 303])
  expect(refused.body).toContain('***.444.777-**')
  expect([path, body, refused.body].join()).not.toMatch(/111\.?444\.?777/)
  expect(testApp.logged.join()).not.toContain(path.split('?p=')[1])
  const { data } = (await company.get('/api/transactions')).json()
  expect(data[0].customer).toMatchObject({ name: 'Ana Souza', taxId: '***.444.777-**' })
})

test('after a payment that failed the form is filled in again, and the document stays masked', async () => {
  const company = await newCompany()
  const { slug, path } = await newSealed(company, PAYER, { methods: ['credit_card'] })
  const browser = openPayerBrowser(app)
  const card = {
    ...{ method: 'credit_card', installments: '1', cardToken: 'sbx_funds_0123456789abcdef' },
    ...{ cardBrand: 'visa', cardLast4: '9995', cardHolder: 'ANA' },
  }
  const first = readFormFields((await browser.get(path)).body)
  const declined = await browser.post(`/pagar/${slug}/payments`, { ...first, ...card })

  const again = await browser.get(`/pagar/${slug}?new=9999999999999`)
  const other = await browser.get(`/pagar/${slug}?p=&new=9999999999999`)

  expect(declined.statusCode).toBe(303)
  expect(readFormFields(again.body)).toMatchObject({ name: 'Ana Souza' })
  expect(again.body).toContain('***.444.777-**')
  expect(again.body).not.toMatch(/111\.?444\.?777/)
  // Without its seal the form asks for the document, and does not take it from the payment.
  expect(readFormFields(other.body).taxId).toBe('')
  expect(other.body).not.toMatch(/111\.?444\.?777/)
})

test('who is somebody else pays with their own document, and is not asked to be the first again', async () => {
  const company = await newCompany()
  const { slug, path } = await newSealed(company)
  const browser = openPayerBrowser(app)
  const { body } = await browser.get(path)

  const other = await browser.get(/href="([^"]*\?p=)"/.exec(body)![1]!)
  const plain = await browser.get(`/pagar/${slug}`)

  for (const page of [other, plain]) {
    expect(readFormFields(page.body)).toMatchObject({ name: '', taxId: '' })
  }
})

test.each([
  [
    'of another link',
    (one: string, two: string) => one.replace(/\?.*/, '') + two.replace(/.*\?/, '?'),
  ],
  [
    'with another letter',
    (one: string) => one.slice(0, -3) + (one.endsWith('AAA') ? 'BBB' : 'AAA'),
  ],
  ['cut short', (one: string) => one.slice(0, -20)],
  ['of nothing', (one: string) => `${one.split('?')[0]}?p=%00%ff&p=x`],
])('a seal %s opens the plain form', async (_, change) => {
  const company = await newCompany()
  const [one, two] = [await newSealed(company), await newSealed(company)]

  const { statusCode, body } = await openPayerBrowser(app).get(change(one.path, two.path))

  expect(statusCode).toBe(200)
  expect(readFormFields(body)).toMatchObject({ name: '', email: '', taxId: '' })
})

test('a link that many may pay by now is not filled in', async () => {
  const company = await newCompany()
  const { id, path } = await newSealed(company)
  await app.inject({
    ...{ method: 'PATCH', url: `${PATH}/${id}`, payload: { maxPayments: 2 } },
    headers: { authorization: `Bearer ${company.key}` },
  })

  const { body } = await openPayerBrowser(app).get(path)

  expect(readFormFields(body)).toMatchObject({ name: '', taxId: '' })
})

test('only a link of one payment is filled in, in a batch too, and an answer that is sent back makes a plain one', async () => {
  const company = await newCompany()
  const good = { ...MINIMAL_LINK, maxPayments: 1, prefill: { taxId: PAYER.taxId } }

  const many = await company.post(PATH, { ...good, maxPayments: 2 })
  const wrong = await company.post(PATH, { ...good, prefill: { taxId: '1', city: 'x' } })
  const batch = await company.post(`${PATH}/batch`, {
    paymentLinks: [good, { ...good, maxPayments: null }],
  })
  const [made, refused] = batch.json().data
  const echoed = await company.post(PATH, made.paymentLink)

  expect(many.json().errors).toEqual([
    expect.objectContaining({ field: 'prefill', code: 'invalid_prefill' }),
  ])
  expect(wrong.json().errors.map(({ field }: { field: string }) => field)).toEqual(
    expect.arrayContaining(['prefill.taxId']),
  )
  expect(made.paymentLink.prefilledUrl).toMatch(/\?p=[\w-]+$/)
  expect(refused.errors[0].field).toBe('prefill')
  expect(echoed.statusCode).toBe(201)
  expect(echoed.json().prefilledUrl).toBeUndefined()
})

test.each([
  [{ name: 'Al' }, 'prefill.name', /nome completo/],
  [{ name: '12345' }, 'prefill.name', /^Informe o nome completo/],
  [{ taxId: PAYER.taxId }, 'prefill.taxId', /^Este link é de um cliente com outro documento/],
])('what its payer could not send is not sealed: %o', async (prefill, field, message) => {
  const company = await newCompany()
  const customer = { name: 'Bia', taxId: '529.982.247-25' }
  const { id: linkedCustomerId } = (await company.post('/api/customers', customer)).json()
  const link = { ...MINIMAL_LINK, maxPayments: 1, linkedCustomerId }

  const alone = await company.post(PATH, { ...link, prefill })
  const batch = await company.post(`${PATH}/batch`, { paymentLinks: [{ ...link, prefill }] })
  const right = await company.post(PATH, { ...link, prefill: { taxId: customer.taxId } })

  const wrong = [expect.objectContaining({ field, message: expect.stringMatching(message) })]
  expect([alone.statusCode, alone.json().errors]).toEqual([422, wrong])
  expect(batch.json().data[0].errors).toEqual(wrong)
  expect(right.statusCode).toBe(201)
})
