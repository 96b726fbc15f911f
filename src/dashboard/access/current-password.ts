// One's own password, typed again for what matters most. Whoever found somebody's screen open must not
// be able to guess it there.

import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { HOUR_MS, MINUTE_MS } from '../../database/instant.ts'
import { enforceLimits, judgeCounted, type Limit, undoHits } from '../../http/limiter.ts'
import { verifyUserPassword } from '../../users/user.ts'
import { passwordField } from '../layout/forms/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { stepUpTexts } from './texts.ts'

const PASSWORD_LIMITS: Limit[] = [
  { max: 5, windowMs: MINUTE_MS },
  { max: 15, windowMs: HOUR_MS },
]

export const PasswordField = passwordField.catch('')
const CurrentPasswordForm = z.object({ password: PasswordField })

/** Whether the form brings the password of who sends it. Throws 429 after too many that are not. */
export async function verifyCurrentPassword(
  needs: Pick<DashboardNeeds, 'db' | 'limiter'>,
  { body, visitor }: FastifyRequest,
) {
  const { password } = CurrentPasswordForm.parse(body ?? {})
  return limitPasswordTries(needs, visitor.user.id, () =>
    verifyUserPassword(needs.db, visitor.user.id, password),
  )
}

/** Only wrong ones count, and before it is known that they are: a hundred at once are a hundred. */
export async function limitPasswordTries(
  { limiter }: Pick<DashboardNeeds, 'limiter'>,
  userId: string,
  isRight: () => Promise<boolean>,
) {
  const tries = PASSWORD_LIMITS.map((limit) => ({
    key: `own-password:${userId}:${limit.windowMs}`,
    limit,
  }))
  await enforceLimits(limiter, tries, stepUpTexts.tooMany)
  const right = await judgeCounted(limiter, tries, isRight)
  if (right) await undoHits(limiter, tries)
  return right
}
