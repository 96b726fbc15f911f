// Deliveries that somebody chose, sent once more. What is on its way, or was tried since the list of them was
// shown, stays as it is: the same order given again sends nothing twice.

import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { isUuid } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'
import { makeDue, RESEND_WINDOW_DAYS } from './resend.ts'

/** What one order may name. */
const MAX_CHOSEN_DELIVERIES = 1_000

type ChosenDeliveries = { companyId: string; ids: readonly string[]; shownAt: Date }

/** How many were made due now, and how many not: why. Those of others are not counted. */
export type ResentCounts = Record<'resent' | 'underWay' | 'disabled' | 'tooOld', number>

export async function resendChosenDeliveries(
  db: Database,
  { companyId, ids, shownAt }: ChosenDeliveries,
  now: Date,
): Promise<ResentCounts> {
  const chosen = [...new Set(ids)].filter(isUuid).slice(0, MAX_CHOSEN_DELIVERIES)
  const at = sql`${now.toISOString()}::timestamptz`
  const start = new Date(now.getTime() - RESEND_WINDOW_DAYS * DAY_MS).toISOString()
  const { rows } = await db.execute<ResentCounts>(sql`
    with chosen as (
      select delivery.id, case
        when delivery.created_at < ${start}::timestamptz then 'tooOld'
        when endpoint.disabled_at is not null then 'disabled'
        when delivery.leased_until > ${at} or (delivery.status = 'pending' and delivery.due_at <= ${at})
          or exists (
            select from webhook_attempts attempt
            where attempt.delivery_id = delivery.id and attempt.started_at >= ${shownAt.toISOString()}::timestamptz
          ) then 'underWay'
        else 'resent' end as kind
      from webhook_deliveries delivery
      join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
      where delivery.id = any(${sql.param(chosen)}::uuid[]) and endpoint.company_id = ${companyId}
      order by delivery.id
      for update of delivery
    ),
    resent as (
      update webhook_deliveries delivery set ${makeDue(now)}
      from chosen where delivery.id = chosen.id and chosen.kind = 'resent'
      returning delivery.id
    )
    select (select count(*)::int from resent) as resent,
      count(*) filter (where kind = 'underWay')::int as "underWay",
      count(*) filter (where kind = 'disabled')::int as disabled,
      count(*) filter (where kind = 'tooOld')::int as "tooOld",
      case when exists (select from resent) then pg_notify('delivery_due', '') end
    from chosen`)
  const { resent, underWay, disabled, tooOld } = requireFound(rows[0])
  return { resent, underWay, disabled, tooOld }
}
