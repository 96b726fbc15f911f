// What a company's owners read by e-mail of payments that are contested.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { addDelay, DAY_MS } from '../../src/database/instant.ts'
import { mails } from '../../src/database/tables.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../support/smtp-server.ts'
import { openTestApp } from '../support/test-app.ts'
import { openDisputes } from '../support/transactions/disputes.ts'
import { writeUser } from '../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { db, needs } = testApp
const { openPaidPix, buildDispute, read } = openDisputes(testApp)

const RESPOND_BY = '2027-01-10T23:59:59.000Z'

async function contested() {
  const { row, company, charge } = await openPaidPix()
  const owner = `dona-${company.id.slice(-12)}@sol.example.com`
  await writeUser(db, { companyId: company.id, email: owner, role: 'owner' })
  await db.delete(mails).where(eq(mails.companyId, company.id))
  return { row, owner, charge }
}

test('owners are told once when it is opened and once when it is closed', async () => {
  const { row, owner, charge } = await contested()
  const dispute = buildDispute({ respondBy: RESPOND_BY })
  for (const status of ['open', 'open', 'lost', 'lost'] as const) {
    charge.disputes = [{ ...dispute, status }]
    await checkPayment(needs, await read(row.id))
  }
  const smtpServer = await openSmtpServer()

  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  const received = smtpServer.received.filter(({ envelope }) => envelope.to[0] === owner)
  const texts = received.map(({ text }) => text ?? '')
  expect(texts).toHaveLength(2)
  expect(texts.find((text) => text.includes('foi contestado'))).toMatch(
    /100,00.+MED.+banco.+10\/01\/2027/s,
  )
  expect(texts.find((text) => text.includes('foi perdida'))).toContain(row.id)
})

test('of a MED the seven days end on a day, which the e-mail names when the bank names none', async () => {
  const { row, charge } = await contested()
  const dispute = buildDispute({ respondBy: null })
  charge.disputes = [dispute]

  await checkPayment(needs, row)

  const [mail] = await db.select().from(mails).where(eq(mails.subjectId, row.id))
  expect(mail!.data).toMatchObject({
    deadline: { at: addDelay(new Date(dispute.openedAt), 7 * DAY_MS), isDay: true },
  })
})

test('of one that was over when it was first told, the end alone is told', async () => {
  const { row, charge } = await contested()
  charge.disputes = [buildDispute({ status: 'won' })]

  await checkPayment(needs, row)

  const rows = await db.select().from(mails).where(eq(mails.subjectId, row.id))
  expect(rows).toMatchObject([{ template: 'dispute-closed', data: { isWon: true } }])
})
