// The form of a link that others have opened is kept, and sent at once: as it would be made anew.
import { afterEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../src/database/instant.ts'
import { openCheckout, openPayerBrowser, readFormFields } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, listener, needs } = testApp
const { newLink, editLink } = openCheckout(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

const openAsStranger = (slug: string, query = '') =>
  openPayerBrowser(app).get(`/pagar/${slug}${query}`)

/** Made for the first payer, made and kept for the second, kept for all others. */
async function openKept({ slug }: { slug: string }) {
  await expect.poll(listener.isLive).toBe(true)
  return [
    await openAsStranger(slug),
    await openAsStranger(slug),
    await openAsStranger(slug),
  ] as const
}

test('who comes later gets the form that the first one got, as an attempt of their own', async () => {
  const opened = await openKept(await newLink())

  const attempts = opened.map(({ body }) => readFormFields(body).attempt!)
  const [made, ...later] = opened.map(({ statusCode, headers, body }, i) => {
    const { 'set-cookie': cookie, 'x-request-id': _, date: __, ...rest } = headers
    const own = attempts[i]!
    return { statusCode, rest, cookie: `${cookie}`.replace(own, ''), body: body.replace(own, '') }
  })

  expect(new Set(attempts).size).toBe(3)
  expect(opened.every(({ headers }, i) => `${headers['set-cookie']}`.includes(attempts[i]!))).toBe(
    true,
  )
  expect(later).toEqual([made, made])
})

test('a form that is kept is sent until its link expires, and then no more', async () => {
  const link = await newLink({ expiresAt: new Date(clock.now().getTime() + HOUR_MS).toISOString() })
  await openKept(link)

  clock.offsetMs = HOUR_MS - MINUTE_MS
  const before = await openAsStranger(link.slug)
  clock.offsetMs = HOUR_MS
  const after = await openAsStranger(link.slug)

  expect([before.statusCode, after.statusCode]).toEqual([200, 410])
})

test('a form that is kept is not sent once its link is paused', async () => {
  const link = await newLink()
  await openKept(link)

  await editLink(link.id, { status: 'inactive' })

  await expect.poll(async () => (await openAsStranger(link.slug)).statusCode).toBe(410)
})

test('who asks for a card gets a form with the card chosen, also while the other one is kept', async () => {
  const link = await newLink()
  await openKept(link)

  const { body } = await openAsStranger(link.slug, '?method=credit_card')

  expect(readFormFields(body).method).toBe('credit_card')
})

test('what is asked of a form that is kept by HEAD has its headers and no more', async () => {
  const { slug } = await newLink()
  const [, , { headers }] = await openKept({ slug })

  const { statusCode, body, ...head } = await app.inject({ method: 'HEAD', url: `/pagar/${slug}` })

  expect([statusCode, body]).toEqual([200, ''])
  expect(head.headers['content-length']).toBe(headers['content-length'])
  expect(head.headers['content-security-policy']).toBe(headers['content-security-policy'])
})

test('who gets a form that is kept from a process that closes is let go of', async () => {
  const { slug } = await newLink()
  await openKept({ slug })
  needs.lifecycle.phase = 'closing'

  const { headers } = await openAsStranger(slug)
  needs.lifecycle.phase = 'ready'

  expect(headers.connection).toBe('close')
})

test("what somebody typed is in their own form and in nobody else's", async () => {
  const { slug } = await newLink()
  await openKept({ slug })
  const browser = openPayerBrowser(app)
  const blank = readFormFields((await browser.get(`/pagar/${slug}`)).body)
  const typed = { ...blank, name: 'Zuleica', email: 'nada', taxId: '1' }

  const refused = await browser.post(`/pagar/${slug}/payments`, typed)
  const later = await openKept(await newLink())

  expect(refused.statusCode).toBe(422)
  expect(readFormFields(refused.body)).toMatchObject({ name: 'Zuleica', email: 'nada' })
  expect(refused.body).toContain('id="email-error"')
  for (const { body } of later) expect(body).not.toMatch(/Zuleica|-error"/)
})
