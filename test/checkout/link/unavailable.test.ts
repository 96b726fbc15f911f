// A link that cannot be paid leads its payer on.
import { expect, test } from 'vitest'
import { openCheckout, openPayerBrowser, PIX, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { newLink, editCompany, editLink } = openCheckout(testApp)

const get = (url: string) => openPayerBrowser(testApp.app).get(url)

test.each([
  ['(11) 98765-4321', /href="https:\/\/wa\.me\/5511987654321\?text=([^"]*)"/, 'no WhatsApp'],
  [
    '0800 123 4567',
    /href="mailto:oi@padaria\.com\.br\?subject=[^&]*&amp;body=([^"]*)"/,
    'para a loja',
  ],
])('who cannot pay a link is led to its company: %s', async (supportPhone, pattern, words) => {
  const link = await newLink({ status: 'inactive' })
  await editCompany(link.companyId, { supportPhone, supportEmail: 'oi@padaria.com.br' })

  const { body } = await get(`/pagar/${link.slug}`)

  const text = decodeURIComponent(pattern.exec(body)![1]!)
  expect(text).toContain('Bolo de cenoura')
  expect(text).toContain(`/pagar/${link.slug}`)
  expect(readPageText(body)).toContain(words)
})

test.each(['.', ')', '%20', '%E2%80%8B', '**', '…', ',%20obrigada'])(
  'what a message left behind the address of a link does not hide it: %s',
  async (mark) => {
    const link = await newLink()

    const found = await get(`/pagar/${link.slug}${encodeURI(decodeURI(mark))}`)
    const unknown = await get(`/pagar/${link.slug.slice(0, -4)}2222${encodeURI(decodeURI(mark))}`)

    expect([found.statusCode, found.headers.location]).toEqual([302, `/pagar/${link.slug}`])
    expect(unknown.statusCode).toBe(404)
  },
)

test.each([
  ['without an attempt', { attempt: '' }],
  ['with another quote', { quote: 'x' }],
  ['with nothing filled in', { name: '' }],
])('a form %s for a link that has ended meanwhile gets the page that says so', async (_, form) => {
  const link = await newLink()
  const send = await openPayerBrowser(testApp.app).fill(link, PIX)
  await editLink(link.id, { status: 'inactive' })

  const { statusCode, body } = await send(form)

  expect(statusCode).toBe(410)
  expect(readPageText(body)).toContain('Este link está indisponível')
  expect(body).not.toContain('<form id="pay"')
})

test('who has paid a link reads so, whatever the company can take by now', async () => {
  const link = await newLink({ status: 'inactive', inactiveMessage: 'Até segunda.' })
  await editCompany(link.companyId, { pixProvider: null, cardProvider: null })

  const page = readPageText((await get(`/pagar/${link.slug}`)).body)

  expect(page).toContain('Até segunda.')
  expect(page).not.toContain('Nada foi cobrado')
})
