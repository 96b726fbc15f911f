// Webhooks at the dashboard: a company with its owner at the dashboard, receivers, and events for them.
import { listAudit } from '../../../src/companies/audit.ts'
import { eq } from '../../../src/database/drizzle.ts'
import type { Role } from '../../../src/database/enums.ts'
import { newId } from '../../../src/database/id.ts'
import { webhookDeliveries } from '../../../src/database/tables.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import { createEndpoint, type NewEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { type NewEvent, recordEvent } from '../../../src/webhooks/events/event.ts'
import type { TestApp } from '../test-app.ts'
import { openCompanyClient } from './client.ts'

/** Of a house that is `local`. */
export function openWebhookDashboard(testApp: TestApp) {
  const { db, cipher, needs } = testApp

  function openClient(role: Role = 'owner') {
    return openCompanyClient(testApp, role)
  }

  function addReceiver(companyId: string, url: string, more: Partial<NewEndpoint> = {}) {
    return createEndpoint(db, cipher, { companyId, url, allowPrivate: true, ...more })
  }

  /** Answers the delivery's id; there is one endpoint that it goes to. */
  async function emit(companyId: string, more: Partial<NewEvent> = {}) {
    const data = { transaction: { id: newId() } }
    const now = needs.now()
    const event = { companyId, type: 'transaction.approved', testMode: true, data, now } as const
    const { eventId } = await db.transaction((tx) => recordEvent(tx, { ...event, ...more }))
    const [delivery] = await db
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.eventId, eventId))
    return { eventId, id: delivery!.id }
  }

  const deliver = () => deliverDue(needs, needs.now())

  /** Has failed for the last time. */
  async function giveUp(id: string) {
    const lost = { status: 'failed', dueAt: null, leasedUntil: null } as const
    await db.update(webhookDeliveries).set(lost).where(eq(webhookDeliveries.id, id))
  }

  async function readDelivery(id: string) {
    const [row] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
    return row!
  }

  /** What was done, the last first. */
  async function actionsOf(companyId: string) {
    const entries = await listAudit(db, companyId, { limit: 50 })
    return entries.map(({ action, subject }) => [action, subject])
  }

  return { openClient, addReceiver, emit, deliver, giveUp, readDelivery, actionsOf }
}

/** The words of a page, without its marks. */
export function readMainText(html: string) {
  return html
    .slice(html.indexOf('<main'))
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
}

/** The value of a field that is there to be copied or sent along. */
export function readFieldValue(html: string, name: string) {
  const found = html.match(new RegExp(`(?:id|name)="${name}"[^>]*value="([^"]*)"`))
  return found?.[1]
}
