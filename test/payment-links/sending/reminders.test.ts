// Payers are reminded of links that they have not paid.
import { expect, test } from 'vitest'
import { and, eq } from '../../../src/database/drizzle.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/database/instant.ts'
import { customers, events, linkRecipients, mails } from '../../../src/database/tables.ts'
import { MailOverError } from '../../../src/mail/claim.ts'
import { remindDueLinks, requireDueLinkMail } from '../../../src/payment-links/sending/reminders.ts'
import { LINKS_PATH, openLinkApi } from '../../support/link-api.ts'
import { openCheckout, PIX, type TestLink } from '../../support/payer.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { db, clock, needs, newCompany } = testApp
const { newLink, pay, editLink, readLink } = openCheckout(testApp)
const { patch, archive, approve, inHours, duplicateLink } = openLinkApi(testApp)

/** To the next noon in São Paulo. */
function awaitNoon() {
  const now = clock.now().getTime()
  clock.offsetMs += Math.ceil(now / DAY_MS) * DAY_MS + 15 * HOUR_MS - now
}

async function passEvening() {
  clock.offsetMs += 8 * HOUR_MS
}

/** And a minute, so that what is due after so many days is. */
function passDays(days: number) {
  clock.offsetMs += days * DAY_MS + MINUTE_MS
}

async function remind() {
  while (await remindDueLinks(needs, clock.now()));
}

/** A link that reminds every three days, sent to one of the company's people. */
async function openSentLink(fields: object = {}) {
  awaitNoon()
  const company = await newCompany()
  const ana = `ana-${company.id.slice(-12)}@sol.example.com`
  await writeUser(db, { companyId: company.id, email: ana, role: 'owner' })
  const link = await newLink({ methods: ['pix'], remindEveryDays: 3, ...fields }, company)
  await company.post(`${LINKS_PATH}/${link.id}/send`, { email: ana })
  return { company, link, ana }
}

const listReminders = (email: string) =>
  db
    .select()
    .from(mails)
    .where(and(eq(mails.template, 'payment-reminder'), eq(mails.recipient, email)))

async function listReminderEvents({ companyId }: Pick<TestLink, 'companyId'>) {
  const told = await db.select().from(events).where(eq(events.companyId, companyId))
  return told
    .filter(({ type }) => type === 'payment_link.reminded')
    .map(({ body }) => JSON.parse(body).data.recipient)
}

test('an unpaid link is reminded of every so many days, three times in all, and each is told', async () => {
  const { link, ana, company } = await openSentLink()
  const counts: number[] = []

  for (const days of [2, 1, 2, 1, 3, 3, 30]) {
    passDays(days)
    await remind()
    counts.push((await listReminders(ana)).length)
  }

  expect(counts).toEqual([0, 1, 1, 2, 3, 3, 3])
  expect(await listReminderEvents(link)).toEqual(
    Array(3).fill({ customerId: null, email: ana, mailed: true }),
  )
  const { recipients } = (await company.get(`${LINKS_PATH}/${link.id}`)).json()
  expect(recipients).toMatchObject([{ email: ana, remindersSent: 3 }])
})

test('what is due at night goes in the morning', async () => {
  const { ana } = await openSentLink()
  passDays(3)
  await passEvening()

  await remind()
  expect(await listReminders(ana)).toEqual([])
  clock.offsetMs += 13 * HOUR_MS
  await remind()
  expect(await listReminders(ana)).toHaveLength(1)
})

test.each([
  ['paid', async ({ link }) => approve((await pay(link)).row.id)],
  [
    'paid and given back',
    async ({ link }) => {
      const { row } = await pay(link)
      await approve(row.id)
      await db.$client.query(
        "update transactions set status = 'refunded', refunded_cents = total_cents where id = $1",
        [row.id],
      )
    },
  ],
  ['archived', ({ company, link }) => archive(company, link.id)],
  ['paused', ({ company, link }) => patch(company, link, { status: 'inactive' })],
  ['completed', ({ link }) => editLink(link.id, { status: 'completed' })],
  ['expired', ({ link }) => editLink(link.id, { expiresAt: clock.now().toISOString() })],
  ['set to remind no more', ({ company, link }) => patch(company, link, { remindEveryDays: null })],
  ['stopped by its reader', ({ link }) => editRecipients(link, 'stoppedAt')],
  ['refused by the mail server', ({ link }) => editRecipients(link, 'refusedAt')],
] as [string, (sent: Sent) => Promise<unknown>][])(
  'a link that is %s is not reminded of',
  async (_state, change) => {
    const sent = await openSentLink()
    await change(sent)
    passDays(3)

    await remind()

    expect(await listReminders(sent.ana)).toEqual([])
    expect(await listReminderEvents(sent.link)).toEqual([])
  },
)

type Sent = { company: TestCompany; link: TestLink; ana: string }

const editRecipients = (link: TestLink, column: 'stoppedAt' | 'refusedAt') =>
  db
    .update(linkRecipients)
    .set({ [column]: clock.now().toISOString() })
    .where(eq(linkRecipients.linkId, link.id))

test('while a payment is in progress a reminder waits, and goes if nothing comes of it', async () => {
  const { link, ana } = await openSentLink()
  passDays(3)
  const { row } = await pay(link)

  await remind()
  expect(await listReminders(ana)).toEqual([])
  await db.$client.query("update transactions set status = 'expired' where id = $1", [row.id])
  clock.offsetMs += HOUR_MS
  await remind()
  expect(await listReminders(ana)).toHaveLength(1)
})

test('while money is held that came after the expiry no customer is reminded', async () => {
  const { link, ana } = await openSentLink()
  passDays(3)
  const { row } = await pay(link)
  const change = (columns: string) =>
    db.$client.query(`update transactions set ${columns} where id = $1`, [row.id])

  await change("status = 'expired', hold_reason = 'Veio menos.', received_cents = 6000")
  await remind()
  expect(await listReminders(ana)).toEqual([])
  await change("status = 'canceled'")
  clock.offsetMs += HOUR_MS
  await remind()
  expect(await listReminders(ana)).toHaveLength(1)
})

test('a link that is resumed is reminded of, and one that was paused long is no more than once', async () => {
  const { company, link, ana } = await openSentLink()
  await patch(company, link, { status: 'inactive' })
  passDays(9)
  await remind()
  await patch(company, link, { status: 'active' })

  await remind()
  await remind()

  expect(await listReminders(ana)).toHaveLength(1)
})

test('a reminder is written once, though several processes look at the same time', async () => {
  const { link, ana } = await openSentLink()
  await db.$client.query(COPIES, [link.id])
  passDays(3)

  await Promise.all([remind(), remind(), remind(), remind()])
  await remind()

  expect(await listReminders(ana)).toHaveLength(26)
  expect(await listReminderEvents(link)).toHaveLength(26)
  expect(await readLink(link.id)).toMatchObject({ remindersSent: 1 })
})

/** 25 links more, each sent to the same address. */
const COPIES = `with copies as (
    insert into payment_links
    select copy.* from payment_links link, generate_series(1, 25) i, jsonb_populate_record(link,
      jsonb_build_object('id', gen_random_uuid(), 'slug', 'copia' || i)) copy
    where link.id = $1 returning id
  )
  insert into link_recipients
  select copy.* from copies, link_recipients recipient, jsonb_populate_record(recipient,
    jsonb_build_object('id', gen_random_uuid(), 'token', copies.id, 'link_id', copies.id)) copy
  where recipient.link_id = $1`

test('what fails in the middle has reminded of nothing, and is done later', async () => {
  const { link, ana } = await openSentLink()
  passDays(3)
  const broken = { ...needs, checkoutUrl: undefined as unknown as string }
  await db.$client.query(`create function fail() returns trigger as $$ begin raise 'no'; end $$ language plpgsql;
    create trigger fail before insert on events for each row when (new.type = 'payment_link.reminded') execute function fail()`)

  await expect(remindDueLinks(broken, clock.now())).rejects.toThrow()
  await db.$client.query('drop function fail cascade')
  expect(await listReminders(ana)).toEqual([])
  expect(await readLink(link.id)).toMatchObject({ remindersSent: 0 })
  await remind()
  expect(await listReminders(ana)).toHaveLength(1)
})

test.each([
  ['paid', ({ link }: Sent) => pay(link).then(({ row }) => approve(row.id)), true],
  ['stopped', ({ link }: Sent) => editRecipients(link, 'stoppedAt'), true],
  ['being paid', ({ link }: Sent) => pay(link), false],
  ['read of at night', passEvening, false],
])(
  'a reminder that waits for the mail server is not sent of a link that is %s',
  async (_state, change, isOver) => {
    const sent = await openSentLink()
    passDays(3)
    await remind()
    await change(sent)

    const [mail] = await listReminders(sent.ana)
    const refusal = await requireDueLinkMail(db, mail!, clock.now()).catch((error) => error)

    expect(refusal).toBeInstanceOf(Error)
    expect(refusal instanceof MailOverError).toBe(isOver)
  },
)

async function readRecipient({ id }: TestLink) {
  const [row] = await db.select().from(linkRecipients).where(eq(linkRecipients.linkId, id))
  return row!
}

test("the link's customer is reminded though it was never sent, by e-mail or by the event alone", async () => {
  awaitNoon()
  const company = await newCompany()
  const ana = `ana-${company.id.slice(-12)}@sol.example.com`
  await writeUser(db, { companyId: company.id, email: ana, role: 'owner' })
  const { row } = await pay(await newLink({}, company), { ...PIX, email: ana })
  const { customerId } = row
  const link = await newLink({ linkedCustomerId: customerId, remindEveryDays: 3 }, company)

  const rounds = [
    [ana.toUpperCase(), needs.mail],
    [null, needs.mail],
    [ana, null],
  ] as const
  for (const [email, mail] of rounds) {
    await db.update(customers).set({ email }).where(eq(customers.id, customerId))
    passDays(3)
    await remindDueLinks({ ...needs, mail }, clock.now())
  }

  expect(await listReminderEvents(link)).toEqual([
    { customerId, email: ana, mailed: true },
    { customerId, email: null, mailed: false },
    { customerId, email: null, mailed: false },
  ])
  expect(await listReminders(ana)).toHaveLength(1)
  expect(await readRecipient(link)).toMatchObject({ email: ana, remindersSent: 1 })
})

test('the last day is kept for the day before the expiry, and a moved expiry counts anew', async () => {
  const { company, link } = await openSentLink({ remindEveryDays: 30, expiresAt: inHours(24 * 60) })
  const dueAt = async () => (await readLink(link.id)).reminderDueAt
  const first = await dueAt()

  const expiresAt = inHours(24 * 10)
  await patch(company, link, { expiresAt })
  const moved = await dueAt()
  await patch(company, link, { title: 'Torta' })

  expect(Date.parse(first!) - clock.now().getTime()).toBeGreaterThan(29 * DAY_MS)
  expect(moved).toBe(new Date(Date.parse(expiresAt) - DAY_MS).toISOString())
  expect(await dueAt()).toBe(moved)
})

test('a copy of a link reminds as the link does, from the start', async () => {
  const { company, link } = await openSentLink()
  passDays(3)
  await remind()

  const copy = await duplicateLink(company, link.id)

  expect(copy).toMatchObject({ remindEveryDays: 3, remindersSent: 0 })
  expect(Date.parse(copy.reminderDueAt!) - clock.now().getTime()).toBeGreaterThan(
    3 * DAY_MS - MINUTE_MS,
  )
})
