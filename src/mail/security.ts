// Mails about changes to an account, or to a company's access and money: they go to the person and to all owners,
// and no setting turns them off, so that an intruder cannot hide a change.
import { type NewAuditEntry, recordAudit } from '../companies/audit.ts'
import { realIdSql } from '../companies/company.ts'
import type { Db } from '../database/connect.ts'
import { and, asc, eq, or } from '../database/drizzle.ts'
import { companies, users } from '../database/tables.ts'
import { unmapAddress } from '../http/ip.ts'
import type { MailData, SecurityChange } from './data.ts'
import { type Outbox, queueMail } from './outbox.ts'

const MAX_RECIPIENTS = 50

type SecurityNotice = Omit<
  MailData['security-notice'],
  'isSelf' | 'isOwner' | 'companyName' | 'at'
> & {
  /** The id of either environment. */
  companyId: string
  /** The person that the mail is about, an owner or not. */
  userId: string | undefined
  /** The e-mail of that person when they have left. */
  formerEmail?: string | undefined
  now: Date
}

export type SecurityEntry = NewAuditEntry & {
  action: Exclude<SecurityChange, 'new_device'>
  testMode?: boolean
  /** The person that the mail is about; by default the person who acted. */
  concerns?: string
  /** The former e-mail of a person who is removed by this change. */
  formerEmail?: string
}

/** Adds an audit entry and writes its mails; without mail only the entry. */
export async function recordSecurityChange(
  db: Db,
  mail: Outbox | null | undefined,
  { testMode = false, concerns, formerEmail, ...entry }: SecurityEntry,
) {
  const { companyId, action: what, actor, address = null, details, now } = entry
  const subject = [entry.subject, details?.role].filter(Boolean).join(': ') || null
  await recordAudit(db, entry)
  await queueSecurityMail(mail, db, {
    ...{ companyId, userId: concerns ?? entry.userId, what, actor, subject, address, now },
    ...{ formerEmail, device: null, testMode },
  })
}

/** Does nothing without mail. */
export async function queueSecurityMail(
  mail: Outbox | null | undefined,
  db: Db,
  { companyId, userId, formerEmail, address, now, ...notice }: SecurityNotice,
) {
  if (!mail) return
  const owner = eq(users.role, 'owner')
  const people = await db
    .select({
      ...{ id: users.id, role: users.role, email: users.email },
      companyName: companies.name,
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(
      and(
        eq(users.companyId, realIdSql(companyId)),
        userId === undefined ? owner : or(owner, eq(users.id, userId)),
      ),
    )
    .orderBy(asc(users.id))
    .limit(MAX_RECIPIENTS)
  // A company always has an owner, so its name is found with the people.
  const [owned] = people
  const former = { id: undefined, role: undefined, email: formerEmail ?? '' }
  const all = formerEmail && owned ? [...people, { ...owned, ...former }] : people
  const newMails = all.map(({ id, role, email: recipient, companyName }) => ({
    template: 'security-notice' as const,
    recipient,
    data: {
      ...{ ...notice, companyName },
      ...{ isSelf: id !== undefined && id === userId, isOwner: role === 'owner' },
      address: address && unmapAddress(address),
      at: now.toISOString(),
    },
  }))
  // Sent in our own name, since the mail is about an account here, and not about the company's customers.
  await queueMail(mail, db, { companyId: null, now }, ...newMails)
}
