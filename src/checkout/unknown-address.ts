// Whoever tries addresses of links and payments out is made to wait.

import type { FastifyRequest } from 'fastify'
import { MINUTE_MS } from '../database/instant.ts'
import { tooManyRequestsError } from '../http/errors.ts'
import { getNetwork } from '../http/ip.ts'
import type { Limiter } from '../http/limiter.ts'
import { resolveTexts } from './language.ts'

const UNKNOWN_ADDRESS_LIMIT = { max: 60, windowMs: MINUTE_MS }

/** Counts one address that led nowhere; throws where there were too many. */
export async function limitUnknownAddresses(
  { limiter }: { limiter: Limiter },
  request: FastifyRequest,
) {
  const hit = await limiter.countHit(`slug:${getNetwork(request.ip)}`, UNKNOWN_ADDRESS_LIMIT)
  if (hit.exceeded) {
    const { failures } = resolveTexts(request)
    throw tooManyRequestsError(Math.ceil(hit.retryAfterMs / 1_000), failures.tooManyAttempts)
  }
}
