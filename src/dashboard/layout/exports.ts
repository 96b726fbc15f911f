// Tables that leave the dashboard: an entry in Registro for each, and a notice where payers' names and addresses
// leave with it.
import type { FastifyRequest } from 'fastify'
import { DAY_MS } from '../../database/instant.ts'
import type { DashboardNeeds } from './needs.ts'
import { queueSecurityNotice, recordAct } from './security.ts'

const NOTICE_LIMIT = { max: 1, windowMs: DAY_MS }

/** @param subject what it is a table of */
export async function recordExport(
  needs: DashboardNeeds,
  request: FastifyRequest,
  subject: string,
) {
  await recordAct(needs, request, { action: 'csv_exported', subject })
}

/** Of a table with payers. Who takes one each day is told of once a day. */
export async function recordPayerExport(
  needs: DashboardNeeds,
  request: FastifyRequest,
  subject: string,
) {
  await recordExport(needs, request, subject)
  const { user, company } = request.visitor
  if (company.testMode) return
  const { exceeded } = await needs.limiter.countHit(`export-notice:${user.id}`, NOTICE_LIMIT)
  if (!exceeded) await queueSecurityNotice(needs, request, { what: 'csv_exported' })
}
