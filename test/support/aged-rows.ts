// Rows that were written long ago, by SQL: ids and instants agree.
import { v7 } from 'uuid'
import type { Database } from '../../src/database/connect.ts'
import { newId } from '../../src/database/id.ts'

export function openAgedRows(db: Database, companyId: string) {
  const run = (text: string, values: unknown[] = []) => db.$client.query(text, values)

  /** One at each of these instants, with a delivery where one is told. */
  async function addEvents(ats: Date[], delivery?: 'pending' | 'delivered') {
    const endpointId = newId()
    await run(
      `insert into webhook_endpoints (id, company_id, url, events, secret)
      values ($1, $2, 'https://loja.example/hook', '{transaction.approved}', 'x')`,
      [endpointId, companyId],
    )
    const ids = ats.map((at) => v7({ msecs: at.getTime() }))
    await run(
      `insert into events (id, company_id, type, body, created_at)
      select id, $3, 'transaction.approved', '{}', at from unnest($1::uuid[], $2::timestamptz[]) row (id, at)`,
      [ids, ats, companyId],
    )
    if (!delivery) return ids
    await run(
      `insert into webhook_deliveries (id, event_id, endpoint_id, status, due_at)
      select gen_random_uuid(), event_id, $2, $3, case when $3 = 'pending' then now() end
      from unnest($1::uuid[]) event_id`,
      [ids, endpointId, delivery],
    )
    await run(
      `insert into webhook_attempts (delivery_id, number, started_at, duration_ms, outcome)
      select id, 1, now(), 1, 'delivered' from webhook_deliveries where event_id = any($1)`,
      [ids],
    )
    return ids
  }

  async function addStep(at: Date, transactionId: string) {
    const id = v7({ msecs: at.getTime() })
    await run(
      `insert into transaction_steps (id, transaction_id, kind, details, created_at)
      values ($1, $2, 'notified', '{}', $3)`,
      [id, transactionId, at],
    )
    return id
  }

  async function addCharge(at: Date, reference = `sbx_${newId()}`) {
    await run(
      `insert into sandbox_charges (reference, scenario, status, amount_cents, created_at)
      values ($1, 'ok', 'approved', 1000, $2)`,
      [reference, at],
    )
    await run(
      `insert into sandbox_refunds (reference, charge_reference, amount_cents) values ($1, $2, 100)`,
      [newId(), reference],
    )
    return reference
  }

  async function addAuditEntry(at: Date) {
    await run(
      `insert into audit_entries (id, company_id, actor, action, details, created_at)
      values ($1, $2, 'ana', 'sign_in', '{}', $3)`,
      [v7({ msecs: at.getTime() }), companyId, at],
    )
  }

  async function addReport(at: Date, linkId: string) {
    await run(
      'insert into abuse_reports (id, payment_link_id, reason, created_at) values ($1, $2, $3, $4)',
      [v7({ msecs: at.getTime() }), linkId, 'fraud', at],
    )
  }

  return { addEvents, addStep, addCharge, addAuditEntry, addReport }
}
