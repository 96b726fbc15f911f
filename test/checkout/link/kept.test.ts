// The form of a link that others have opened is kept, and sent at once: as it would be made anew.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { updateCompany } from '../../../src/companies/company.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/database/instant.ts'
import { linkVisits } from '../../../src/database/tables.ts'
import { createMetrics } from '../../../src/http/metrics/metrics.ts'
import {
  openCheckout,
  openPayerBrowser,
  readAttemptToken,
  readFormFields,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { anotherProcess, app, clock, db, listener, logged, needs, newCompany } = testApp
const { newLink, editLink } = openCheckout(testApp)

type Opening = RequestInit & { query?: string; from?: FastifyInstance }

const LOCAL = { port: 0, host: '127.0.0.1' }

afterEach(() => {
  clock.offsetMs = 0
})

await app.listen(LOCAL)

/** Over the network: what is kept is sent before the framework sees who asks. */
async function openAsStranger(slug: string, { query = '', from = app, ...init }: Opening = {}) {
  const [address] = from.addresses() as [AddressInfo]
  const response = await fetch(`http://127.0.0.1:${address.port}/pagar/${slug}${query}`, init)
  const headers = Object.fromEntries(response.headers)
  return { statusCode: response.status, headers, body: await response.text() }
}

/** Made for the first payer, made and kept for the second, kept for all others. */
async function openKept({ slug }: { slug: string }, opening?: Opening) {
  await expect.poll(listener.isLive).toBe(true)
  return [
    await openAsStranger(slug, opening),
    await openAsStranger(slug, opening),
    await openAsStranger(slug, opening),
  ] as const
}

test('who comes later gets the form that the first one got, as an attempt of their own', async () => {
  const opened = await openKept(await newLink())

  const attempts = opened.map(({ body }) => readFormFields(body).attempt!)
  const tokens = opened.map(({ body }) => readAttemptToken(body))
  const [made, ...later] = opened.map(({ statusCode, headers, body }, i) => {
    const { 'set-cookie': cookie, 'x-request-id': _, date: __, ...rest } = headers
    const [own, token] = [attempts[i]!, tokens[i]!]
    return { statusCode, rest, cookie: `${cookie}`.replace(token, ''), body: body.replace(own, '') }
  })

  expect(new Set(tokens).size).toBe(3)
  expect(opened.every(({ headers }, i) => `${headers['set-cookie']}`.includes(tokens[i]!))).toBe(
    true,
  )
  expect(later).toEqual([made, made])
})

test('each of them is logged, and counted as an answer and as an opening', async () => {
  const link = await newLink()
  const metrics = await createMetrics()
  const from = await anotherProcess({ metrics })
  await from.listen(LOCAL)

  const opened = await openKept(link, { from })

  const lines = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  const own = opened.map(({ headers }) => headers['x-request-id'])
  const ofThese = lines.filter(({ reqId }) => own.includes(reqId))
  const { reqId: _, time: __, ms: ___, ...first } = ofThese[0]
  expect(first).toMatchObject({ method: 'GET', path: `/pagar/${link.slug}`, status: 200 })
  expect(ofThese.map(({ reqId }) => reqId)).toEqual(own)
  for (const line of ofThese) expect(line).toEqual({ ...line, ...first, ms: expect.any(Number) })
  expect(await metrics.format()).toMatch(
    /^vintem_http_request_duration_seconds_count{method="GET",route="\/pagar\/:slug",status="2xx"} 3$/m,
  )
  await from.close()
  const counts = await db.select().from(linkVisits).where(eq(linkVisits.linkId, link.id))
  expect(counts).toMatchObject([{ opened: 3 }])
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

test('once a company goes by another name it does so on forms that are kept, and on new ones', async () => {
  const company = await newCompany()
  const [kept, fresh] = [await newLink({}, company), await newLink({}, company)]
  await openKept(kept)

  await updateCompany(db, kept.companyId, { name: 'Padaria Lua' }, clock.now())

  const open = async (slug: string) => (await openAsStranger(slug)).body
  await expect.poll(() => open(kept.slug)).toContain('Padaria Lua')
  expect(await open(fresh.slug)).toContain('Padaria Lua')
})

test('who asks for a card gets a form with the card chosen, also while the other one is kept', async () => {
  const link = await newLink()
  await openKept(link)

  const { body } = await openAsStranger(link.slug, { query: '?method=credit_card' })

  expect(readFormFields(body).method).toBe('credit_card')
})

test('what is asked of a form that is kept by HEAD has its headers and no more', async () => {
  const { slug } = await newLink()
  const [, , { headers }] = await openKept({ slug })

  const { statusCode, body, ...head } = await openAsStranger(slug, { method: 'HEAD' })

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
