// How much may be tried before the payer is asked to wait: payments of any kind by link and address, and
// cards as card-testing.ts counts them.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Seal } from '../../database/encryption.ts'
import { networkOf } from '../../http/ip.ts'
import type { Limiter } from '../../http/limiter.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import { type PrecheckRefusal, SOLD_OUT } from '../../transactions/create.ts'
import type { PayNeeds } from '../../transactions/needs.ts'
import { type PaymentInput, processPayment } from '../../transactions/pay.ts'
import { checkoutTexts } from '../texts.ts'
import { createCardPrecheck, getCardPauseSeconds } from './card-testing.ts'

export type PaymentLimitNeeds = PayNeeds & {
  limiter: Limiter
  seal: Seal
  /** Pauses before a card is tried again that found too many under way. */
  capacityDelaysMs?: readonly number[]
}

export type LimitNotice = { message: string; method?: 'pix'; retryAfterSeconds: number }

type AttemptSender = { attempt: string; address: string }

/** Many people may be behind one address. */
const PAYMENT_LIMIT = { max: 30, windowMs: 60_000 }
const CAPACITY_DELAYS_MS = [500, 1_500, 3_000]

/** Says what to wait for; the same form sent again is no further payment. */
export async function limitPayments(
  { limiter }: PaymentLimitNeeds,
  { id }: LinkRow,
  { attempt, address }: AttemptSender,
): Promise<LimitNotice | undefined> {
  const hit = await limiter.hit(`pay:${id}:${networkOf(address)}`, PAYMENT_LIMIT, attempt)
  if (!hit.exceeded) return undefined
  return { message: texts.tooManyAttempts, retryAfterSeconds: Math.ceil(hit.retryAfterMs / 1_000) }
}

/** Pays; where too many cards are under way it waits for some of them to end before it gives up. */
export async function payWithPrecheck(
  needs: PaymentLimitNeeds,
  payment: PaymentInput,
  address: string,
) {
  const { row, card } = payment
  const guard = card && createCardPrecheck(needs, { row, address })
  for (const delayMs of needs.capacityDelaysMs ?? CAPACITY_DELAYS_MS) {
    const paid = await processPayment(needs, { ...payment, precheck: guard })
    if (paid === SOLD_OUT || !('denied' in paid) || paid.denied !== 'busy') return paid
    await sleep(delayMs)
  }
  return processPayment(needs, { ...payment, precheck: guard })
}

/** What a link's pause says before anything is counted. */
export function checkCardPause(link: LinkRow, now: Date): LimitNotice | undefined {
  const retryAfterSeconds = getCardPauseSeconds(link, now)
  return retryAfterSeconds > 0
    ? toLimitNotice(link, { denied: 'paused', retryAfterSeconds })
    : undefined
}

/** Pix stays open. */
export function toLimitNotice(
  { methods }: LinkRow,
  { denied, retryAfterSeconds }: PrecheckRefusal,
): LimitNotice {
  return methods.includes('pix')
    ? { message: checkoutTexts.cards[denied], retryAfterSeconds, method: 'pix' }
    : { message: checkoutTexts.cardsOnly[denied], retryAfterSeconds }
}
