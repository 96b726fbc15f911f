// What a person does at the dashboard that the owners are told of by e-mail.
import type { FastifyRequest } from 'fastify'
import type { SecurityChange } from '../../mail/data.ts'
import { queueSecurityMail } from '../../mail/security.ts'
import type { DashboardNeeds } from './needs.ts'

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
