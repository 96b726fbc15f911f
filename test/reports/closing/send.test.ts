import { expect, test } from 'vitest'
import { eq, sql } from '../../../src/database/drizzle.ts'
import { companies, mails, users } from '../../../src/database/tables.ts'
import { listPossibleReaders, saveClosingReaders } from '../../../src/reports/closing/readers.ts'
import { sendDueClosings } from '../../../src/reports/closing/send.ts'
import { removeUser, updateUserRole } from '../../../src/users/user.ts'
import { openPayments } from '../../support/payments.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../../support/smtp-server.ts'
import { openTestApp } from '../../support/test-app.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { db, clock, needs, newCompany } = testApp
const { newMerchant, addPayment } = openPayments(testApp)
const mail = needs.mail!

/** Seven in the morning of the first, in São Paulo. */
const FIRST = new Date('2026-11-01T10:00:00.000Z')
const OCTOBER = '2026-10-05T15:00:00.000Z'

/** A company of which these are chosen, since September; nobody else is in the database any more. */
async function openChosen(chosen: string[], { isPaid = true } = {}) {
  await db.update(users).set({ getsClosings: false })
  const company = await newCompany()
  const people: Record<string, string> = {}
  for (const [name, role] of [
    ['dona', 'owner'],
    ['contadora', 'accountant'],
    ['membro', 'member'],
  ] as const) {
    const email = `${name}-${company.id.slice(-12)}@exemplo.com.br`
    people[name] = (await writeUser(db, { companyId: company.id, email, role })).id
  }
  const companyId = company.realId
  if (isPaid) await addRealPayment(companyId)
  await choose(
    companyId,
    chosen.map((name) => people[name]!),
    new Date('2026-09-15T15:00:00.000Z'),
  )
  return { companyId, people }
}

async function addRealPayment(companyId: string) {
  const merchant = { ...(await newMerchant()), companyId }
  await addPayment(merchant, OCTOBER, {
    ...{ testMode: false, payerName: 'Joana Pagadora', payerTaxId: '52998224725' },
    ...{ feeCents: 99, feeSource: 'company' },
  })
}

async function choose(companyId: string, ids: string[], now: Date) {
  const before = await listPossibleReaders(db, companyId)
  const chosen = Object.fromEntries(before.map(({ id }) => [id, ids.includes(id)]))
  expect(await saveClosingReaders(db, companyId, { before, chosen, now })).toEqual({
    kind: 'saved',
  })
}

/** To whom it was written, without what makes addresses unique. */
async function readRecipients(companyId: string) {
  const rows = await db.select().from(mails).where(eq(mails.companyId, companyId))
  return rows.map(({ recipient }) => recipient.split('-')[0]).sort()
}

const at = (instant: string) => new Date(instant)

test.each([
  ['a minute before six', '2026-11-01T08:59:00.000Z', []],
  ['at six on the first', '2026-11-01T09:00:00.000Z', ['contadora', 'dona']],
  [
    'on the thirtieth, when the server was down until then',
    '2026-11-30T23:00:00.000Z',
    ['contadora', 'dona'],
  ],
])('the month that is over is sent to whom the owner chose: %s', async (_when, now, expected) => {
  const { companyId } = await openChosen(['dona', 'contadora'])
  // September was theirs already.
  await db.update(companies).set({ closedMonth: '2026-09-01' }).where(eq(companies.id, companyId))

  await sendDueClosings(db, mail, at(now))

  expect(await readRecipients(companyId)).toEqual(expected)
})

test('a month is sent once, however often and by however many processes at a time', async () => {
  const { companyId } = await openChosen(['contadora'])

  await Promise.all(Array.from({ length: 6 }, () => sendDueClosings(db, mail, FIRST)))
  await sendDueClosings(db, mail, at('2026-11-20T10:00:00.000Z'))
  const november = await readRecipients(companyId)
  await sendDueClosings(db, mail, at('2026-12-01T10:00:00.000Z'))

  expect(november).toEqual(['contadora'])
  expect(await readRecipients(companyId)).toEqual(['contadora', 'contadora'])
})

test('of months that were missed the last one is sent, and no other', async () => {
  const { companyId } = await openChosen(['contadora'])

  await sendDueClosings(db, mail, at('2027-02-03T10:00:00.000Z'))

  const rows = await db.select().from(mails).where(eq(mails.companyId, companyId))
  expect(rows.map(({ data }) => data.month)).toEqual(['2027-01'])
})

test('who is chosen in the middle of a month is written to at the end of it, not before', async () => {
  const { companyId, people } = await openChosen([])
  await choose(companyId, [people.contadora!], at('2026-11-15T15:00:00.000Z'))

  await sendDueClosings(db, mail, at('2026-11-15T16:00:00.000Z'))
  const before = await readRecipients(companyId)
  await sendDueClosings(db, mail, at('2026-12-01T10:00:00.000Z'))

  expect(before).toEqual([])
  expect(await readRecipients(companyId)).toEqual(['contadora'])
})

test('who leaves, or has a role no more that sees documents, is not written to', async () => {
  const { companyId, people } = await openChosen(['dona', 'contadora'])
  const email = `outra-${companyId.slice(-12)}@exemplo.com.br`
  await writeUser(db, { companyId, email, role: 'owner' })
  await removeUser(db, { companyId, userId: people.dona! })
  await updateUserRole(db, { companyId, userId: people.contadora!, role: 'finance' })

  await sendDueClosings(db, mail, FIRST)

  expect(await readRecipients(companyId)).toEqual([])
})

test('nobody can be chosen whose role does not see documents, nor of another company', async () => {
  const { companyId, people } = await openChosen([])
  const other = await openChosen([])
  const chosen = { [people.membro!]: true, [other.people.dona!]: true }

  await saveClosingReaders(db, companyId, { before: [], chosen, now: FIRST })

  const all = await db.select().from(users).where(eq(users.getsClosings, true))
  expect(all).toEqual([])
})

test('the mail has the sums and the table by day, and nothing of any payer', async () => {
  const { companyId } = await openChosen(['contadora'])
  clock.offsetMs = FIRST.getTime() - Date.now()
  await sendDueClosings(db, mail, FIRST)
  const [row] = await db.select().from(mails).where(eq(mails.companyId, companyId))
  const smtpServer = await openSmtpServer()

  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  const told = smtpServer.received.find(({ envelope }) => envelope.to[0] === row!.recipient)
  expect(told!.subject).toBe('Fechamento de outubro de 2026 · Padaria Sol')
  expect(told!.text).toContain('Recebido: R$ 100,00')
  expect(told!.text).toContain('Líquido: R$ 99,01')
  expect(told!.text).toContain('/painel/relatorios/fechamento?mes=2026-10')
  const [table] = told!.attachments
  const csv = new TextDecoder().decode(table!.content as ArrayBuffer)
  expect(table!.filename).toBe('fechamento-2026-10-por-dia.csv')
  expect(csv).toContain('05/10/2026;Pix;1;100,00;0,00;0,00;0,99;99,01')
  expect(csv).toContain('Total do mês;Todas;1;100,00;0,00;0,00;0,99;99,01')
  expect(`${told!.text}${told!.html}${csv}`).not.toMatch(/Joana|529\.?982/)
})

test('of a month without movement the mail says so, without a table', async () => {
  const { companyId } = await openChosen(['contadora'], { isPaid: false })
  await sendDueClosings(db, mail, FIRST)

  const [row] = await db.select().from(mails).where(eq(mails.companyId, companyId))
  const smtpServer = await openSmtpServer()
  clock.offsetMs = FIRST.getTime() - Date.now()
  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  const told = smtpServer.received.find(({ envelope }) => envelope.to[0] === row!.recipient)
  expect(told!.text).toContain('nada entrou e nada voltou: mês sem movimento')
  expect(told!.attachments).toEqual([])
})

test('one company that cannot be summed does not keep the others from theirs', async () => {
  const { companyId } = await openChosen(['contadora'])
  const broken = await newCompany()
  const email = `quebrada-${broken.id}@exemplo.com.br`
  const { id } = await writeUser(db, { companyId: broken.id, email, role: 'owner' })
  await db.update(users).set({ getsClosings: true }).where(eq(users.id, id))
  await db.execute(sql`
    create function refuse_closing() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger refuse_closing before update of closed_month on companies
      for each row when (new.id = '${sql.raw(broken.realId)}') execute function refuse_closing()`)

  await expect(sendDueClosings(db, mail, FIRST)).rejects.toThrow()
  await expect(sendDueClosings(db, mail, FIRST)).rejects.toThrow()

  expect(await readRecipients(companyId)).toEqual(['contadora'])
})
