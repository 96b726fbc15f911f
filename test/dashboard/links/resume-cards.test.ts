// A pause of a link's cards as its company hears of it, and how an owner ends it early.
import { beforeEach, expect, test } from 'vitest'
import { resumeCards } from '../../../src/checkout/payment/card-pause.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { companies, mails } from '../../../src/database/tables.ts'
import { MINUTE_MS, openCardTesting } from '../../support/card-testing.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { buildTestCard, openCheckout, readPageText, type TestLink } from '../../support/payer.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../../support/smtp-server.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ mail: true })
const { clock, db, newCompany } = testApp
const { newLink, pay, readLink, editLink } = openCheckout(testApp)
const { decline, warningsOf } = openCardTesting(testApp)

// Nothing that one test did is counted in the next.
beforeEach(() => {
  clock.offsetMs += 2 * 60 * MINUTE_MS
})

/** A link with cards that were just paused, with an owner of its company at the dashboard. */
async function paused(pause = pauseByAttack, isTold = true) {
  const company = await newCompany()
  await db.update(companies).set({ mailFailures: isTold }).where(eq(companies.id, company.id))
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })
  const link = await newLink({}, company)
  await pause(link)
  const resume = () => dashboardClient.post(`/painel/links/${link.id}/liberar-cartoes`)
  return { company, dashboardClient, link, resume }
}

async function pauseByAttack(link: TestLink) {
  await decline(link, 20)
  const { response } = await pay(link, buildTestCard('generic'))
  expect(response.statusCode).toBe(429)
}

async function writePause({ id }: TestLink) {
  const cardsPausedUntil = new Date(clock.now().getTime() + 60 * MINUTE_MS).toISOString()
  await editLink(id, { cardsPausedUntil })
}

async function noticesOf({ id }: TestLink) {
  return db.select().from(mails).where(eq(mails.subjectId, id))
}

const isPaused = async ({ id }: TestLink) =>
  Date.parse((await readLink(id)).cardsPausedUntil!) > clock.now().getTime()

test('the company hears of a pause by e-mail: once, with where to look', async () => {
  const { dashboardClient, link } = await paused()
  await pay(link, buildTestCard('generic'))

  const notices = await noticesOf(link)
  const smtpServer = await openSmtpServer()
  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  expect(notices).toHaveLength(1)
  const [mail] = smtpServer.received.filter(({ subject }) => subject?.includes('Bolo de cenoura'))
  expect(mail!.envelope.to).toEqual([dashboardClient.email])
  expect(mail!.subject).toMatch(/^\[Teste\] /)
  expect(mail!.text).toContain(`/painel/links/${link.id}`)
  expect(mail!.text).toContain('Pix')
})

test('a company that wants no notice of troubles gets none, and its page tells it all the same', async () => {
  const { dashboardClient, link } = await paused(pauseByAttack, false)

  expect(await noticesOf(link)).toEqual([])
  const log = readPageText(await readPage(dashboardClient, '/painel/registro'))
  expect(log).toContain('Pausou os cartões de um link')
  expect(log).toContain('20 cartões recusados em uma hora')
  expect(log).toMatch(/Pausados até \d\d\/\d\d\/\d{4} \d\d:\d\d/)
})

test('an owner frees the cards, and the declines of before count no more', async () => {
  const { dashboardClient, link, resume } = await paused()
  const page = await readPage(dashboardClient, `/painel/links/${link.id}`)

  const freed = await resume()
  const paid = await pay(link, buildTestCard('ok'))
  const after = await readPage(dashboardClient, freed.headers.location!)

  expect(readPageText(page)).toContain('Liberar cartões agora')
  expect(freed.headers.location).toBe(`/painel/links/${link.id}?feito=cartoes-liberados`)
  expect(paid.row).toMatchObject({ status: 'approved' })
  expect(readPageText(after)).toContain('Cartões liberados.')
  expect(readPageText(after)).not.toContain('Liberar cartões agora')
})

test('freed cards are watched as before: twenty more declines pause them again', async () => {
  const { link, resume } = await paused()
  clock.offsetMs += MINUTE_MS
  await resume()
  clock.offsetMs += MINUTE_MS

  await decline(link, 19)
  const before = await isPaused(link)
  const last = await pay(link, buildTestCard('generic'))
  const { response } = await pay(link, buildTestCard('ok'))

  expect(before).toBe(false)
  expect(last.row).toMatchObject({ status: 'declined' })
  expect(response.statusCode).toBe(429)
  expect(await isPaused(link)).toBe(true)
})

test('freeing twice is recorded once, and what is not paused is not freed', async () => {
  const { company, dashboardClient, link, resume } = await paused(writePause)
  const other = await newLink({}, company)

  await Promise.all([resume(), resume()])
  await dashboardClient.post(`/painel/links/${other.id}/liberar-cartoes`)

  const actions = (await warningsOf(link)).map(({ action, actor }) => [action, actor])
  expect(actions).toEqual([['cards_resumed', dashboardClient.email]])
  expect(await readLink(other.id)).toMatchObject({ cardsPausedUntil: null })
})

test('of two clicks at once one frees the cards, even when its clock is behind the other', async () => {
  const { link } = await paused(writePause)
  const seen = await readLink(link.id)
  const later = clock.now()
  const earlier = new Date(later.getTime() - 1_000)

  const first = await resumeCards(db, seen, later)
  const second = await resumeCards(db, seen, earlier)

  expect([first.kind, second.kind]).toEqual(['resumed', 'notPaused'])
  expect((await readLink(link.id)).cardsPausedUntil).toBe(later.toISOString())
})
