// Records a person's actions in the audit log, and reports some to the owners by e-mail.
import type { FastifyRequest } from 'fastify'
import { type NewAuditEntry, PEOPLE_ACTIONS, recordAudit } from '../../companies/audit.ts'
import type { Db } from '../../database/connect.ts'
import type { SecurityChange } from '../../mail/data.ts'
import { queueSecurityMail, recordSecurityChange, type SecurityEntry } from '../../mail/security.ts'
import { type DashboardNeeds, getAuditActor } from './needs.ts'

type KnownByRequest = 'companyId' | 'actor' | 'userId' | 'address' | 'now'

export function recordAct(
  { db, now }: { db: Db; now: () => Date },
  request: FastifyRequest,
  entry: Omit<NewAuditEntry, KnownByRequest>,
) {
  return recordAudit(db, { ...getAuditActor(request), ...entry, now: now() })
}

/** Also sends an e-mail, which names the environment unless the action is about people, who belong to both. */
export function recordSecurityAct(
  { db, mail, now }: Pick<DashboardNeeds, 'mail' | 'now'> & { db: Db },
  request: FastifyRequest,
  entry: Omit<SecurityEntry, KnownByRequest>,
) {
  const testMode = request.visitor.company.testMode && !PEOPLE_ACTIONS.has(entry.action)
  const by = { ...getAuditActor(request), testMode, now: now() }
  return recordSecurityChange(db, mail, { ...by, ...entry })
}

/** Sends only the e-mail, for an action that is already in the audit log. */
export async function queueSecurityNotice(
  { db, mail, now }: Pick<DashboardNeeds, 'db' | 'mail' | 'now'>,
  { visitor: { user, company }, ip: address }: FastifyRequest,
  { what, subject = null }: { what: SecurityChange; subject?: string | null },
) {
  const by = { companyId: company.id, userId: user.id, actor: user.email, address, now: now() }
  const { testMode } = company
  await queueSecurityMail(mail, db, { ...by, what, subject, device: null, testMode })
}
