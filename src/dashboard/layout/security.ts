// What touches somebody's account, or a company's access and money: an entry in Registro, and an e-mail to
// the person and the owners.
import type { FastifyRequest } from 'fastify'
import { type NewAuditEntry, recordAudit } from '../../companies/audit.ts'
import type { Db } from '../../database/connect.ts'
import type { SecurityChange } from '../../mail/data.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { queueSecurityMail } from '../../mail/security.ts'
import type { DashboardNeeds } from './needs.ts'

type SecurityEntry = NewAuditEntry & {
  action: Exclude<SecurityChange, 'new_device'>
  testMode?: boolean
  /** Whom it is about; absent: who did it. */
  concerns?: string
  /** The e-mail of whom it is about, who is gone by it. */
  formerEmail?: string
}

/** Without mail the entry alone. */
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

/** The e-mail alone, of what Registro has already. */
export async function queueSecurityNotice(
  { db, mail, now }: Pick<DashboardNeeds, 'db' | 'mail' | 'now'>,
  { visitor: { user, company }, ip: address }: FastifyRequest,
  { what, subject = null }: { what: SecurityChange; subject?: string | null },
) {
  const by = { companyId: company.id, userId: user.id, actor: user.email, address, now: now() }
  const { testMode } = company
  await queueSecurityMail(mail, db, { ...by, what, subject, device: null, testMode })
}
