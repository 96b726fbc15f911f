// Requests that carry an Idempotency-Key, and processes that die before they answer one.
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { and, eq } from '../../src/database/drizzle.ts'
import { idempotencyKeys, paymentLinks } from '../../src/database/tables.ts'
import type { TestApp, TestCompany } from './test-app.ts'

export const LINKS_PATH = '/api/payment-links'
export const ENDPOINTS_PATH = '/api/webhook-endpoints'
/** An address that needs no name server to be found public. */
export const ENDPOINT_BODY = { url: 'https://93.184.216.34/hook' }
export const REQUEST_LEASE_MS = 60_000

type SendOptions = { method?: 'POST' | 'PATCH' | 'PUT'; process?: FastifyInstance; apiKey?: string }

export function openIdempotentRequests({ app, db, clock }: TestApp) {
  /** With the Idempotency-Key `key`. */
  async function send(
    company: TestCompany,
    path: string,
    payload: object,
    key: string,
    { method = 'POST', process = app, apiKey = company.key }: SendOptions = {},
  ): Promise<LightMyRequestResponse> {
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': key }
    return process.inject({ method, url: path, headers, payload })
  }

  async function linksOf({ id }: TestCompany) {
    return db.$count(paymentLinks, eq(paymentLinks.companyId, id))
  }

  async function keysOf({ id }: TestCompany) {
    return db.select().from(idempotencyKeys).where(eq(idempotencyKeys.companyId, id))
  }

  /** As a process leaves it that dies after it has done what was asked and before it could answer. */
  async function dieBeforeTheAnswer(company: TestCompany, key: string) {
    const leasedUntil = new Date(clock.now().getTime() + REQUEST_LEASE_MS).toISOString()
    await db
      .update(idempotencyKeys)
      .set({ status: null, body: null, location: null, leasedUntil })
      .where(and(eq(idempotencyKeys.companyId, company.id), eq(idempotencyKeys.key, key)))
  }

  return { send, linksOf, keysOf, dieBeforeTheAnswer }
}

export function isReplay({ headers }: LightMyRequestResponse) {
  return headers['idempotent-replayed'] === 'true'
}
