// What the people of the demonstration's company did: its log, its keys, its customers as rows.
import { v7 } from 'uuid'
import type { AuditAction } from '../../companies/audit.ts'
import type { auditEntries, customers } from '../../database/tables.ts'
import { formatBrl } from '../../format.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import type { RefundRow } from '../../transactions/transaction.ts'
import type { DemoCustomer } from './people.ts'

type NewAuditRow = typeof auditEntries.$inferInsert

type AuditedAction = {
  action: AuditAction
  at: string
  subjectId?: string
  subject?: string
  details?: Record<string, string>
}

type DemoUser = { id: string; email: string }

const DEMO_ADDRESS = '198.51.100.23'
const DAY_MS = 86_400_000

/** Those who have paid, or tried to. */
export function toCustomerRows(
  companyId: string,
  people: DemoCustomer[],
): (typeof customers.$inferInsert)[] {
  return people.flatMap(({ firstSeenAt, ...person }) => {
    if (!firstSeenAt) return []
    const at = firstSeenAt.toISOString()
    return [{ ...person, companyId, createdAt: at, updatedAt: at }]
  })
}

type DemoHistory = {
  companyId: string
  owner: DemoUser
  member: DemoUser
  links: LinkRow[]
  refunds: RefundRow[]
  now: Date
}

export function buildAuditRows({
  companyId,
  owner,
  member,
  links,
  refunds,
  now,
}: DemoHistory): NewAuditRow[] {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  const byOwner: AuditedAction[] = [
    { action: 'settings_changed', at: daysAgo(92), subject: 'Ajustes' },
    { action: 'user_invited', at: daysAgo(91.5), subject: member.email },
    { action: 'sign_in', at: daysAgo(7.2) },
    { action: 'settings_changed', at: daysAgo(7.1), subject: 'Ajustes' },
    { action: 'sign_in', at: daysAgo(0.1) },
    ...refunds.map(({ transactionId: subjectId, amountCents, createdAt: at }): AuditedAction => {
      return { action: 'refund_asked', at, subjectId, subject: formatBrl(amountCents) }
    }),
    ...links.map(({ id, title, createdAt }): AuditedAction => {
      return { action: 'link_created', at: createdAt, subjectId: id, subject: title }
    }),
  ]
  const byMember: AuditedAction[] = [
    { action: 'user_joined', at: daysAgo(91.2), subject: member.email },
    { action: 'sign_in', at: daysAgo(2.4) },
  ]
  return [
    ...byOwner.map((did) => toNewAuditRow(companyId, owner, did)),
    ...byMember.map((did) => toNewAuditRow(companyId, member, did)),
  ]
}

function toNewAuditRow(
  companyId: string,
  { id: userId, email: actor }: DemoUser,
  did: AuditedAction,
): NewAuditRow {
  const { action, at, subjectId = null, subject = null, details = {} } = did
  const id = v7({ msecs: Date.parse(at) })
  return {
    ...{ id, companyId, actor, userId, action, subjectId, subject, details },
    address: DEMO_ADDRESS,
    createdAt: at,
  }
}
