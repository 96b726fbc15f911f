// What a link may be paid by: in the real environment, what a provider was chosen for.
import { expect, test } from 'vitest'
import { chooseProvider } from '../../src/providers/choose.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { FILLED_LINK_FORM, readFormErrors } from '../support/dashboard/links.ts'
import { LINKS_PATH, openLinkApi } from '../support/link-api.ts'
import { openPayerBrowser, PIX, readPageText } from '../support/payer.ts'
import { BANK_CONFIG, openAccountsAtBank } from '../support/providers/accounts.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, newCompany, openReal } = testApp
const { patch, duplicateLink } = openLinkApi(testApp)
const { save, choose } = openAccountsAtBank(testApp)

const WORKED = [{ step: 'token', ok: true } as const]
const CARDS = { methods: ['credit_card'] }

/** A real environment in which Pix can be paid, and cards cannot. */
async function openPixOnly() {
  const company = await openReal(await newCompany())
  await save(company.id, { ...BANK_CONFIG, test: false }, { steps: WORKED })
  await choose(company.id)
  return company
}

function turnPixOff(companyId: string) {
  const off = { companyId, method: 'pix', provider: null, now: clock.now() } as const
  return chooseProvider(db, off)
}

const refusal = (method: string, fields = ['methods']) => ({
  status: 'error',
  code: 'method_unavailable',
  message: expect.stringMatching(new RegExp(`${method}.*/painel/recebimentos`)),
  errors: fields.map((field) => expect.objectContaining({ field, code: 'method_unavailable' })),
})

test('a method without a provider is refused when a link is created, and it says where to choose one', async () => {
  const company = await openPixOnly()

  const [pix, card, both] = await Promise.all([
    company.post(LINKS_PATH, MINIMAL_LINK),
    company.post(LINKS_PATH, { ...MINIMAL_LINK, ...CARDS }),
    company.post(LINKS_PATH, { ...MINIMAL_LINK, methods: ['pix', 'credit_card'] }),
  ])

  expect([pix, card, both].map(({ statusCode }) => statusCode)).toEqual([201, 422, 422])
  expect(card.json()).toMatchObject(refusal('Cartão'))
  expect(both.json()).toMatchObject(refusal('Cartão'))
  const { data } = (await company.get(LINKS_PATH)).json()
  expect(data.map(({ id }: { id: string }) => id)).toEqual([pix.json().id])
})

test('without any provider, each method is named', async () => {
  const company = await openReal(await newCompany())

  const refused = await company.post(LINKS_PATH, {
    ...MINIMAL_LINK,
    methods: ['pix', 'credit_card'],
  })

  expect(refused.statusCode).toBe(422)
  expect(refused.json()).toMatchObject(refusal('Pix', ['methods', 'methods']))
})

test('a link is not changed to a method without a provider; what it has stays while others change', async () => {
  const company = await openPixOnly()
  const link = (await company.post(LINKS_PATH, MINIMAL_LINK)).json()

  const refused = await patch(company, link, CARDS)
  await turnPixOff(company.id)
  const renamed = await patch(company, link, { title: 'Torta' })

  expect(refused.statusCode).toBe(422)
  expect(refused.json()).toMatchObject(refusal('Cartão'))
  expect(renamed.json()).toMatchObject({ title: 'Torta', methods: ['pix'] })
})

test('a link is not duplicated with a method that has lost its provider', async () => {
  const company = await openPixOnly()
  const link = (await company.post(LINKS_PATH, MINIMAL_LINK)).json()

  const before = await duplicateLink(company, link.id)
  await turnPixOff(company.id)

  expect(before.methods).toEqual(['pix'])
  await expect(duplicateLink(company, link.id)).rejects.toMatchObject({
    statusCode: 422,
    code: 'method_unavailable',
  })
})

test('the dashboard refuses the method at its field, and keeps what was typed', async () => {
  const company = await openPixOnly()
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })
  const form = { ...FILLED_LINK_FORM, title: 'Bolo de fubá', ...CARDS }

  const refused = await dashboardClient.post('/painel/links/novo', form)

  expect(refused.statusCode).toBe(422)
  expect(readFormErrors(refused.body)).toEqual([
    ['methods', expect.stringMatching(/^Ninguém recebe por Cartão.* ainda/)],
  ])
  expect(refused.body).toContain('value="Bolo de fubá"')
})

test('the checkout offers what can be paid, and says what cannot', async () => {
  const company = await openPixOnly()
  const { id, slug } = (await company.post(LINKS_PATH, MINIMAL_LINK)).json()
  await db.$client.query(
    `update payment_links set methods = '{pix,credit_card}', max_installments = 3 where id = $1`,
    [id],
  )

  const { statusCode, body } = await app.inject(`/pagar/${slug}`)

  expect(statusCode).toBe(200)
  expect(readPageText(body)).toContain('O cartão não está disponível agora neste link.')
  expect(readPageText(body)).toContain('Pague com Pix')
  expect(body).not.toContain('value="credit_card"')
})

test('a link without a provider says so, and takes no payment, until one is chosen again', async () => {
  const company = await openPixOnly()
  const { slug } = (await company.post(LINKS_PATH, MINIMAL_LINK)).json()
  const send = await openPayerBrowser(app).fill({ slug }, PIX)

  await turnPixOff(company.id)
  const page = await app.inject(`/pagar/${slug}`)
  const paid = await send()
  await choose(company.id)

  expect(page.statusCode).toBe(410)
  expect(readPageText(page.body)).toContain('Ainda não é possível pagar este link')
  expect(readPageText(page.body)).toContain('Nada foi cobrado.')
  expect(paid.statusCode).toBe(410)
  expect((await app.inject(`/pagar/${slug}`)).statusCode).toBe(200)
})
