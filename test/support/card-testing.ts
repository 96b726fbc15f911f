// Simulates card testing with stolen cards, and reads what came of it.
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { listAudit } from '../../src/companies/audit.ts'
import {
  buildTestCard,
  newPayerAddress,
  openCheckout,
  openPayerBrowser,
  type TestLink,
} from './payer.ts'
import type { TestApp } from './test-app.ts'

export const MINUTE_MS = 60_000
/** More than a link takes declined cards of. */
export const ATTACKERS = 24

type Attack = {
  links: TestLink[]
  attackers?: number
  /** Sent by turns to each. */
  processes?: FastifyInstance[]
  addressOf?: (i: number) => string
  filledBy?: (i: number) => object
}

type DeclineOptions = {
  address?: string | undefined
  last4?: string | undefined
  /** What becomes of the card instead. */
  scenario?: string
}

export function openCardTesting(testApp: TestApp) {
  const { app, db } = testApp
  const { pay, fillBlindly, paymentsOf, chargeOf } = openCheckout(testApp)

  /** So many forms filled in and all sent at once, unless told each of another card from another address. */
  async function attack({
    links,
    attackers = ATTACKERS,
    processes = [app],
    addressOf = newPayerAddress,
    filledBy = () => buildTestCard('generic'),
  }: Attack) {
    const sends = await Promise.all(
      Array.from({ length: attackers }, (_, i) => {
        const browser = openPayerBrowser(processes[i % processes.length]!, addressOf(i))
        return fillBlindly(links[i % links.length]!, filledBy(i), browser)
      }),
    )
    return Promise.all(sends.map((send) => send()))
  }

  /**
   * So many cards declined on this link, each another and from another address unless told: one is sent, and written
   * as often as told.
   */
  async function decline(link: TestLink, times: number, options: DeclineOptions = {}) {
    const { address, last4, scenario = 'generic' } = options
    const filled = buildTestCard(scenario, last4 ? { cardLast4: last4 } : {})
    const { row } = await pay(link, filled, openPayerBrowser(app, address))
    expect(row.approvedAt).toBeNull()
    await db.$client.query(
      `with copies as (
        select payment, gen_random_uuid() as id, i
        from transactions as payment, generate_series(2, $2::int) as i where payment.id = $1
      ), payments as (
        insert into transactions
        select copy.* from copies, jsonb_populate_record(payment, jsonb_build_object(
          'id', copies.id, 'token', copies.id, 'attempt_token', copies.id,
          'provider_reference', 'sbx_' || copies.id
        )) copy
      ), charges as (
        insert into sandbox_charges
        select copy.* from copies join sandbox_charges charge on charge.reference = 'sbx_' || $1,
          jsonb_populate_record(charge, jsonb_build_object('reference', 'sbx_' || copies.id)) copy
      )
      insert into card_attempts (transaction_id, payment_link_id, address, card, created_at)
      select copies.id, payment_link_id,
        case when $3 then address else sha256(copies.id::text::bytea) end,
        case when $4 then card else sha256(i::text::bytea) end,
        created_at
      from copies join card_attempts on transaction_id = $1`,
      [row.id, times, address !== undefined, last4 !== undefined],
    )
  }

  /** How many charges of these links the simulated bank has seen. */
  async function chargesOf(...links: TestLink[]) {
    const rows = (await Promise.all(links.map(paymentsOf))).flat()
    const charges = await Promise.all(rows.map(({ id }) => chargeOf(id)))
    return charges.filter(Boolean).length
  }

  /** The oldest first. */
  async function warningsOf({ companyId }: TestLink) {
    return (await listAudit(db, companyId, { limit: 20 })).reverse()
  }

  return { attack, decline, chargesOf, warningsOf }
}
