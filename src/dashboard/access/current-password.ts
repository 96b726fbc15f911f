// Asks for the person's own password or code again before critical actions. Guesses are limited, since another person
// may have found the screen open.

import type { FastifyRequest } from 'fastify'
import { HOUR_MS, MINUTE_MS } from '../../database/instant.ts'
import { enforceLimits, type Limit, undoHits, undoHitsOnError } from '../../http/limiter.ts'
import { consumeTwoFactorCode } from '../../users/two-factor.ts'
import { passwordField } from '../layout/forms/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { stepUpTexts } from './texts.ts'

const PASSWORD_LIMITS: Limit[] = [
  { max: 5, windowMs: MINUTE_MS },
  { max: 15, windowMs: HOUR_MS },
]

export const PasswordField = passwordField.catch('')
/** Checks and uses up a code of the person's second step. Throws 429 after too many wrong ones. */
export function verifyOwnCode(
  needs: Pick<DashboardNeeds, 'db' | 'cipher' | 'limiter' | 'now'>,
  { visitor: { user } }: FastifyRequest,
  typed: string,
) {
  const { db, cipher, now } = needs
  const isRight = async () => {
    const { kind } = await consumeTwoFactorCode(db, cipher, user.id, typed, now())
    return kind === 'consumed'
  }
  return limitPasswordTries(needs, user.id, isRight, stepUpTexts.tooManyCodes)
}

/** Only wrong tries count, but each is counted before its check, so that simultaneous guesses count too. */
export async function limitPasswordTries(
  { limiter }: Pick<DashboardNeeds, 'limiter'>,
  userId: string,
  isRight: () => Promise<boolean>,
  tooMany: string = stepUpTexts.tooMany,
) {
  const tries = PASSWORD_LIMITS.map((limit) => ({
    key: `own-password:${userId}:${limit.windowMs}`,
    limit,
  }))
  await enforceLimits(limiter, tries, tooMany)
  const right = await undoHitsOnError(limiter, tries, isRight)
  if (right) await undoHits(limiter, tries)
  return right
}
