// Slows down callers who guess addresses of links and payments.

import type { FastifyRequest } from 'fastify'
import { MINUTE_MS } from '../database/instant.ts'
import { buildNetworkLimits, enforceLimits, type Limiter } from '../http/limiter.ts'
import { resolveTexts } from './language.ts'

const UNKNOWN_ADDRESS_LIMIT = { max: 60, windowMs: MINUTE_MS }

/** Counts one unknown address; throws when there were too many. */
export async function limitUnknownAddresses(
  { limiter }: { limiter: Limiter },
  request: FastifyRequest,
) {
  const { tooManyAttempts } = resolveTexts(request).failures
  const limits = buildNetworkLimits('slug', request.ip, UNKNOWN_ADDRESS_LIMIT)
  await enforceLimits(limiter, limits, tooManyAttempts)
}
