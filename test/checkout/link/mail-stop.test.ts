// Who got a link by e-mail stops further e-mails by one click, and by nothing less.
import { expect, test } from 'vitest'
import { newToken } from '../../../src/database/id.ts'
import { IMAGE_FORM, LINKS_PATH, openLinkApi } from '../../support/link-api.ts'
import { MARIA, openCheckout } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ mail: true })
const { app, db, newCompany } = testApp
const { newLink } = openCheckout(testApp)
const { archive } = openLinkApi(testApp)

async function openSentLink() {
  const company = await newCompany()
  const link = await newLink({}, company)
  await company.post(`${LINKS_PATH}/${link.id}/send`, { email: MARIA.email })
  const { rows } = await db.$client.query('select token from link_recipients where link_id = $1', [
    link.id,
  ])
  const url = `/pagar/${link.slug}/emails/${rows[0].token}`
  const readStoppedAt = async () =>
    (await company.get(`${LINKS_PATH}/${link.id}`)).json().recipients[0].stoppedAt
  return { company, link, url, readStoppedAt }
}

const FORM = 'application/x-www-form-urlencoded'

test.each([
  ['the button of the page', FORM, ''],
  ["a mail program's button", FORM, 'List-Unsubscribe=One-Click'],
  ["a mail program's button, as a form of parts", IMAGE_FORM.type, IMAGE_FORM.payload],
])('opening the page stops nothing, %s does, once for all', async (_who, type, payload) => {
  const { url, readStoppedAt } = await openSentLink()
  const stop = () => app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })

  const page = await app.inject({ url })
  expect([page.statusCode, await readStoppedAt()]).toEqual([200, null])
  expect(page.body).toContain(`<form class="actions" method="post" action="${url}">`)

  const stopped = await stop()
  const at = await readStoppedAt()
  await stop()

  expect([stopped.statusCode, await readStoppedAt()]).toEqual([200, at])
  expect(at).toMatch(/^\d{4}-/)
  expect((await app.inject({ url })).body).not.toContain('<form')
})

test('it works for a link that is over, and for no other link nor a guessed name', async () => {
  const { company, link, url, readStoppedAt } = await openSentLink()
  const other = await newLink({}, company)
  await archive(company, link.id)
  const [, token] = url.split('/emails/')

  const guesses = [
    `/pagar/${other.slug}/emails/${token}`,
    `/pagar/${link.slug}/emails/${newToken()}`,
    `/pagar/${link.slug}/emails/%00`,
  ].map(async (guess) => (await app.inject({ method: 'POST', url: guess })).statusCode)
  expect(await Promise.all(guesses)).toEqual([404, 404, 404])
  expect(await readStoppedAt()).toBeNull()

  expect((await app.inject({ method: 'POST', url })).statusCode).toBe(200)
  expect(await readStoppedAt()).not.toBeNull()
})
