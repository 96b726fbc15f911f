// The outbox. A mail is written in the transaction of the change that it reports, so that neither exists without
// the other. It is rendered and sent later (worker.ts).
import type { Db } from '../database/connect.ts'
import { and, inArray, isNull, lt, type SQL, sql } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { newId } from '../database/id.ts'
import { DAY_MS, HOUR_MS } from '../database/instant.ts'
import { mails } from '../database/tables.ts'
import { getRetentionStart, type PurgeOptions, purgeRows } from '../queue/purge.ts'
import type { MailData, TemplateName } from './data.ts'

/** The dependencies for writing mails; null when no mail is sent, and then none is written. */
export type Outbox = { cipher: Cipher }

export type MailRow = typeof mails.$inferSelect

/** One mail of any template, with the data of that template. */
export type NewMail = {
  [T in TemplateName]: {
    template: T
    data: MailData[T]
    /** When absent, the people that the company chose for its notices. */
    recipient?: string
    /** The id of the mail's subject, by which the mail is found and deleted. */
    subjectId?: string
  }
}[TemplateName]

type NewMailContext = {
  /** Null for a mail about a person without a company. */
  companyId: string | null
  now: Date
}

/** The most owners that get a mail. */
const MAX_NOTIFIED_OWNERS = 20

/** The mails that a company can turn off; all others are always sent. */
const PREFERENCE_BY_TEMPLATE: Partial<Record<TemplateName, 'receipts' | 'payments' | 'failures'>> =
  {
    receipt: 'receipts',
    refund: 'receipts',
    payment: 'payments',
    'payment-held': 'payments',
    'payment-overpaid': 'payments',
    'refund-failed': 'payments',
    'webhook-failed': 'failures',
    'cards-paused': 'failures',
  }

/**
 * The mails to payers. In the test environment they are only written to the company's own people, since there any
 * visitor may pay and type any address.
 */
const PAYER_TEMPLATES: ReadonlySet<TemplateName> = new Set<TemplateName>([
  'receipt',
  'refund',
  'payment-link',
  'payment-reminder',
])

/** The time during which a mail of the same template about the same subject is not repeated. */
const QUIET_PERIODS_MS: Partial<Record<TemplateName, number>> = {
  'webhook-failed': 6 * HOUR_MS,
  'cards-paused': 6 * HOUR_MS,
  'payments-unmatched': 24 * HOUR_MS,
}

/**
 * Writes the mails that the company wants, and returns how many were written. This takes one statement, and none when
 * no mail is sent.
 */
export async function queueMail(
  mail: Outbox | null | undefined,
  db: Db,
  { companyId, now }: NewMailContext,
  ...newMails: NewMail[]
): Promise<number> {
  if (!mail || newMails.length === 0) return 0
  const given = newMails.map(({ data, ...newMail }) => {
    // A mail to one recipient gets its id here, since its encrypted data is bound to its row.
    const id = newMail.recipient === undefined ? undefined : newId()
    return {
      ...{ ...newMail, id, data: encryptSecretLink(mail.cipher, id, data) },
      switch: PREFERENCE_BY_TEMPLATE[newMail.template],
      isToPayer: PAYER_TEMPLATES.has(newMail.template),
      quietSince: getQuietSince(newMail.template, now),
    }
  })
  const ids = Array.from({ length: newMails.length * MAX_NOTIFIED_OWNERS }, newId)
  const at = now.toISOString()
  const { rowCount } = await db.execute(sql`
    insert into mails (id, company_id, template, recipient, data, subject_id, due_at, created_at)
    select coalesce(given.id, (${sql.param(ids)}::uuid[])[row_number() over ()]), company.id, given.template,
      addressed.email, given.data, given."subjectId", ${at}::timestamptz, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
      id uuid, template text, recipient text, data jsonb, "subjectId" uuid, switch text,
      "isToPayer" boolean, "quietSince" timestamptz)
    left join companies company on company.id = ${companyId}::uuid
    cross join lateral (
      select coalesce(given.recipient, company.notice_email) as email
      where coalesce(given.recipient, company.notice_email) is not null
      union all (
        select email from users
        where given.recipient is null and company.notice_email is null
          and company_id = coalesce(company.test_of, company.id) and role = 'owner'
        order by id limit ${MAX_NOTIFIED_OWNERS}
      )
    ) addressed
    where (not given."isToPayer" or ${isReachedPayer(sql`given.recipient`)})
      and case given.switch
        when 'receipts' then company.mail_receipts
        when 'payments' then company.mail_payments
        when 'failures' then company.mail_failures
        else true end
      and not exists (
        select from mails earlier
        where earlier.subject_id = given."subjectId" and earlier.template = given.template
          and earlier.created_at > given."quietSince"
      )`)
  return rowCount ?? 0
}

/** Whether receipts and notes of refunds are sent to this payer. */
export async function sendsToPayer(
  mail: Outbox | null,
  db: Db,
  { companyId, payerEmail }: { companyId: string; payerEmail: string | null },
) {
  if (!mail || !payerEmail) return false
  const { rowCount } = await db.execute(sql`
    select from companies company
    where company.id = ${companyId}::uuid and company.mail_receipts
      and ${isReachedPayer(sql`${payerEmail}::text`)}`)
  return rowCount === 1
}

/** In the test environment only the company's own people are. */
function isReachedPayer(recipient: SQL) {
  return sql`(company.test_of is null
    or lower(${recipient}) = lower(company.notice_email)
    or exists (
      select from users where company_id = company.test_of and lower(email) = lower(${recipient})
    ))`
}

/** Returns the `subjectIds` with a mail that could not be delivered. */
export async function findUnmailedSubjects(db: Db, subjectIds: string[]) {
  if (subjectIds.length === 0) return new Set()
  const isGivenUp = and(isNull(mails.dueAt), isNull(mails.sentAt))
  const rows = await db
    .select({ subjectId: mails.subjectId })
    .from(mails)
    .where(and(inArray(mails.subjectId, subjectIds), isGivenUp))
  return new Set(rows.map(({ subjectId }) => subjectId))
}

export async function purgeMails(db: Db, now: Date, { retention }: PurgeOptions) {
  const old = lt(mails.createdAt, getRetentionStart(now, retention.mailsDays))
  return purgeRows(db, mails, and(old, isNull(mails.dueAt)))
}

function getQuietSince(template: TemplateName, now: Date) {
  const quietMs = QUIET_PERIODS_MS[template]
  return quietMs === undefined ? null : new Date(now.getTime() - quietMs).toISOString()
}

type TemplateData = Record<string, unknown>

// A link that grants access is encrypted while its mail waits, and the mail is not sent once the link no longer works.
export const RESET_VALID_MS = HOUR_MS
export const INVITATION_VALID_MS = 7 * DAY_MS

const LINK_VALID_MS: Partial<Record<TemplateName, number>> = {
  'password-reset': RESET_VALID_MS,
  invitation: INVITATION_VALID_MS,
}

/** Whether the mail is useless because its link has expired. */
export function isSecretLinkOver(
  { template, createdAt }: { template: string; createdAt: string },
  now: Date,
) {
  // The column accepts any text; only queueMail writes it.
  const validMs = LINK_VALID_MS[template as TemplateName]
  return validMs !== undefined && now.getTime() >= Date.parse(createdAt) + validMs
}

function encryptSecretLink(cipher: Cipher, mailId: string | undefined, data: TemplateData) {
  const { secretLink } = data
  if (typeof secretLink !== 'string') return data
  if (!mailId) throw new Error('A mail with a secret link goes to one recipient, who is named')
  const encrypted = cipher.encrypt(secretLink, 'mails.secret_link', mailId)
  return { ...data, secretLink: encrypted.toString('base64') }
}

/** Throws when the link was encrypted with another key, or for another mail. */
export function decryptSecretLink(cipher: Cipher, mailId: string, data: TemplateData) {
  const { secretLink } = data
  if (typeof secretLink !== 'string') return data
  const encrypted = Buffer.from(secretLink, 'base64')
  return { ...data, secretLink: cipher.decrypt(encrypted, 'mails.secret_link', mailId) }
}
