// What an address brings for the form: `?name=&email=&phone=&ref=&utm_source=`.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { customers } from '../../../src/database/tables.ts'
import { AGAIN, openCheckout, openPayerBrowser, PIX, readFormFields } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, newCompany } = testApp
const { newLink, pay, editCompany } = openCheckout(testApp)

async function open(link: { slug: string }, query: string, browser = openPayerBrowser(app)) {
  const response = await browser.get(`/pagar/${link.slug}?${query}`)
  expect(response.statusCode).toBe(200)
  return response.body
}

async function newLinkWithPhone() {
  const link = await newLink()
  await editCompany(link.companyId, { askPhone: true })
  return link
}

const CARD = '4111111111111111'

test.each<[Record<string, string>, ...string[]]>([
  [{ name: 'a'.repeat(120), email: `${'a'.repeat(250)}@b.c`, ref: 'r'.repeat(64) }],
  [{ ref: 'Campanha de Natal – São Paulo', phone: '11987654321', taxId: '1' }, 'taxId'],
  [{ utm_campaign: 'Dia das Mães 🌷', utm_content: '120210987654321098', phone: '+14155550123' }],
  [{ name: 'a'.repeat(121), email: `${'a'.repeat(251)}@b.c`, ref: 'r'.repeat(65) }, 'all'],
  [{ name: 'a\u202eb', ref: 'a\u0000b', phone: '12345', utm_id: '7' }, 'all'],
  // A card is no reason to turn its payer away, nor is it kept.
  [{ name: CARD, ref: CARD, utm_content: '4111 1111 1111 1111' }, 'all'],
  [{ name: 'Ana', ref: 'a\nb' }, 'ref'],
])('of the address %j all is in the form, but %s', async (values, ignored = 'nothing') => {
  const fields = readFormFields(
    await open(await newLinkWithPhone(), `${new URLSearchParams(values)}`),
  )

  for (const [name, value] of Object.entries(values)) {
    const isIgnored = ignored === 'all' || ignored === name
    expect([name, fields[name] ?? '']).toEqual([name, isIgnored ? '' : value])
  }
})

test('odd addresses are read as well as they can be', async () => {
  const link = await newLinkWithPhone()
  const odd: [string, string, Record<string, string | undefined>][] = [
    [
      'one that comes twice, by its first value',
      'ref=a&ref=b&name=x&name=y',
      { ref: 'a', name: 'x' },
    ],
    ['a list', 'utm_source[]=x&utm_source.a=y', { utm_source: undefined }],
    [
      'a long name of a campaign, cut',
      `utm_term=${'é'.repeat(5000)}`,
      { utm_term: 'é'.repeat(50) },
    ],
    ['marks that cannot be seen', 'utm_source=insta%E2%80%8Bgram%00', { utm_source: undefined }],
    [
      'letters of an old code',
      'utm_source=Jo%E3o&name=Jo%E3o',
      { utm_source: 'João', name: 'João' },
    ],
    ['what was encoded twice', 'name=Jo%25C3%25A3o', { name: 'João' }],
    ['half of a letter', 'ref=a%ED%A0%80b', { ref: undefined }],
    ['a percent sign alone', 'utm_source=50%&name=Ana', { name: 'Ana' }],
    [
      'a plus that was not encoded',
      'email=maria+loja@exemplo.com.br',
      { email: 'maria+loja@exemplo.com.br' },
    ],
    ['a phone with a plus that was not encoded', 'phone=+14155550123', { phone: '+14155550123' }],
  ]

  for (const [what, query, expected] of odd) {
    const fields = readFormFields(await open(link, query))
    const read = Object.fromEntries(Object.keys(expected).map((name) => [name, fields[name]]))

    expect([what, read]).toEqual([what, expected])
  }
})

test('origin and campaign are kept on the payment, through an error of the form, and told of it', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const browser = openPayerBrowser(app)
  const utm = { source: 'instagram', campaign: '="natal"' }
  const query = 'ref=natal&utm_source=instagram&utm_campaign=%3D%22natal%22&utm_medium='

  const refused = await browser.pay(link, { ...PIX, taxId: '1' }, `?${query}`)
  const sent = { ...readFormFields(refused.body), ...PIX, taxId: '52998224725' }
  const paid = await browser.post(`/pagar/${link.slug}/payments`, sent)
  await pay(link, PIX)

  expect([refused.statusCode, paid.statusCode]).toEqual([422, 303])
  const { data } = (await company.get('/api/transactions')).json()
  const blank = { medium: null, term: null, content: null }
  expect(data).toMatchObject([
    { utm: null, ref: null },
    { utm: { ...utm, ...blank }, ref: 'natal' },
  ])
  const table = (await company.get('/api/transactions.csv')).body
  expect(table).toContain(`;instagram;;"'=""natal"""`)
  expect(table).toContain(';natal;')
})

test('an origin that was typed into the form and may be none does not stop a payment', async () => {
  const { row } = await pay(await newLink(), { ...PIX, ref: 'x'.repeat(65) })

  expect(row.ref).toBeNull()
})

test('who comes back has what they typed, and the address fills only what is empty', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(app)
  await browser.pay(link, { ...PIX, name: 'Maria da Silva' }, '?ref=natal')

  const again = readFormFields(
    await open(link, `${AGAIN.slice(1)}&name=Outra&email=x@y.z`, browser),
  )
  const other = readFormFields(await open(link, `${AGAIN.slice(1)}&ref=pascoa`, browser))

  expect(again).toMatchObject({
    ...{ name: 'Maria da Silva', email: 'maria@exemplo.com.br', ref: 'natal' },
  })
  expect(other).toMatchObject({ ref: 'pascoa' })
})

test('of a link for one customer only the origin is taken', async () => {
  const company = await newCompany()
  const linkedCustomerId = newId()
  const known = { name: 'Maria Silva', taxId: '52998224725' }
  await db.insert(customers).values({ id: linkedCustomerId, companyId: company.id, ...known })
  const link = await newLink({ linkedCustomerId }, company)

  const body = await open(link, 'name=Outra&email=x@y.z&ref=natal')

  const fields = readFormFields(body)
  expect(fields).toMatchObject({ taxId: '', ref: 'natal' })
  expect(body).not.toMatch(/Outra|x@y\.z/)
})
