// How far the payers of a link come: counted by day, and nothing kept of who they are.
import { expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { linkVisits } from '../../../src/database/tables.ts'
import {
  type LinkVisit,
  purgeLinkVisits,
  recordLinkVisits,
} from '../../../src/payment-links/visits.ts'
import { loadLinkFunnel } from '../../../src/reports/funnel.ts'
import { buildTestCard, openCheckout, openPayerBrowser } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, needs, clock } = testApp
const checkout = openCheckout(testApp)

const PHONE = { 'user-agent': 'Mozilla/5.0 (Linux; Android 16) Chrome/142.0 Mobile Safari/537.36' }
const ADDRESS = '203.0.113.77'

const countsOf = (linkId: string) =>
  db.select().from(linkVisits).where(eq(linkVisits.linkId, linkId))

/** What a process of its own has counted, once it has ended. */
async function visit(work: (app: Awaited<ReturnType<typeof buildApp>>) => Promise<unknown>) {
  const app = await buildApp(needs)
  await work(app)
  await app.close()
}

test('an opening counts once for each browser, and not for robots, guesses or what cannot be paid', async () => {
  const link = await checkout.newLink()
  const paused = await checkout.newLink()
  await checkout.editLink(paused.id, { status: 'inactive' })
  const url = `/pagar/${link.slug}`

  await visit(async (app) => {
    const browser = openPayerBrowser(app)
    for (const path of [url, url, `${url}?new`]) await browser.get(path)
    await app.inject({ url, headers: PHONE })
    await app.inject({ url, method: 'HEAD', headers: PHONE })
    await app.inject({ url, headers: { ...PHONE, 'sec-purpose': 'prefetch;prerender' } })
    for (const robot of ['WhatsApp/2.24.9', 'facebookexternalhit/1.1', 'Googlebot/2.1', 'curl/8'])
      await app.inject({ url, headers: { 'user-agent': robot } })
    await app.inject({ url: `/pagar/${paused.slug}`, headers: PHONE })
  })

  expect(await countsOf(link.id)).toMatchObject([{ opened: 2, begun: 0 }])
  expect(await countsOf(paused.id)).toEqual([])
})

test('a form that is begun is counted without a word of who did, thirty times a minute from one network', async () => {
  const link = await checkout.newLink()
  const begin = {
    method: 'POST',
    url: `/pagar/${link.slug}/begun`,
    remoteAddress: ADDRESS,
  } as const

  await visit(async (app) => {
    for (let i = 0; i < 31; i++) expect((await app.inject(begin)).statusCode).toBe(204)
    expect((await app.inject({ ...begin, url: '/pagar/2222222222/begun' })).statusCode).toBe(204)
  })

  expect(await countsOf(link.id)).toMatchObject([{ opened: 0, begun: 30 }])
})

test('what several processes count of the same links at once adds up', async () => {
  const links = await Promise.all(Array.from({ length: 5 }, () => checkout.newLink()))
  const visits = links.map(({ id }): LinkVisit => ({ linkId: id, step: 'opened' }))

  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      recordLinkVisits(db, i % 2 ? visits : visits.toReversed(), '2026-11-21'),
    ),
  )

  const counts = await Promise.all(links.map(({ id }) => countsOf(id)))
  expect(counts.flat().map(({ opened }) => opened)).toEqual([20, 20, 20, 20, 20])
})

test('a funnel tells how many opened, began, tried and paid in 30 days, and why the others stopped', async () => {
  const link = await checkout.newLink()
  const opened = Array.from({ length: 9 }, (): LinkVisit => ({ linkId: link.id, step: 'opened' }))
  await recordLinkVisits(db, [...opened, { linkId: link.id, step: 'begun' }], '2026-11-02')
  await recordLinkVisits(db, opened, '2026-11-01')
  const at = (day: string) => loadLinkFunnel(db, link.id, new Date(`${day}T12:00:00-03:00`))

  // Before those below come: their own openings are written a second later.
  expect(await at('2026-12-01')).toMatchObject({ opened: 9 })

  const scenarios = ['ok', 'funds', 'funds', 'expired']
  for (const scenario of scenarios) await checkout.pay(link, buildTestCard(scenario))
  await checkout.pay(link)

  expect(await loadLinkFunnel(db, link.id, clock.now())).toMatchObject({
    ...{ begun: 5, tried: 5, paid: 1, expired: 0 },
    declined: [
      { code: 'insufficient_funds', count: 2 },
      { code: 'expired_card', count: 1 },
    ],
  })
})

test('an attempt with money held after its expiry has not expired in the funnel', async () => {
  const link = await checkout.newLink()
  const [{ row: held }, { row: expired }] = [await checkout.pay(link), await checkout.pay(link)]
  await db.$client.query(
    `update transactions set status = 'expired', hold_reason = case when id = $1 then 'Veio menos.' end
      where id = any($2)`,
    [held.id, [held.id, expired.id]],
  )

  expect(await loadLinkFunnel(db, link.id, clock.now())).toMatchObject({ tried: 2, expired: 1 })
})

test('counts are kept for thirteen months', async () => {
  const link = await checkout.newLink()
  const visits: LinkVisit[] = [{ linkId: link.id, step: 'opened' }]
  for (const day of ['2025-10-17', '2025-10-18']) await recordLinkVisits(db, visits, day)

  await purgeLinkVisits(db, new Date('2026-11-22T12:00:00Z'))

  expect((await countsOf(link.id)).map(({ day }) => day)).toEqual(['2025-10-18'])
})
