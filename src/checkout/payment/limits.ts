// How much may be tried before the payer is asked to wait: payments of any kind by link and address, and
// cards as card-testing.ts counts them.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Seal } from '../../database/encryption.ts'
import { networkOf } from '../../http/ip.ts'
import type { Limiter } from '../../http/limiter.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import { type Denied, NO_PLACE } from '../../transactions/create.ts'
import type { PayNeeds } from '../../transactions/needs.ts'
import { type Payment, pay } from '../../transactions/pay.ts'
import { checkoutTexts } from '../texts.ts'
import { cardGuard, secondsOfPause } from './card-testing.ts'

export type LimitNeeds = PayNeeds & {
  limiter: Limiter
  seal: Seal
  /** Pauses before a card is tried again that found too many under way. */
  roomDelaysMs?: readonly number[]
}

export type Limited = { message: string; method?: 'pix'; retryAfterSeconds: number }

type Sender = { attempt: string; address: string }

/** Many people may be behind one address. */
const PAYMENTS = { max: 30, windowMs: 60_000 }
const ROOM_DELAYS_MS = [500, 1_500, 3_000]

/** Says what to wait for; the same form sent again is no further payment. */
export async function limitPayments(
  { limiter }: LimitNeeds,
  { id }: LinkRow,
  { attempt, address }: Sender,
): Promise<Limited | undefined> {
  const hit = await limiter.hit(`pay:${id}:${networkOf(address)}`, PAYMENTS, attempt)
  if (!hit.exceeded) return undefined
  return { message: texts.tooManyAttempts, retryAfterSeconds: Math.ceil(hit.retryAfterMs / 1_000) }
}

/** Pays; where too many cards are under way it waits for some of them to end before it gives up. */
export async function payWithin(needs: LimitNeeds, payment: Payment, address: string) {
  const { row, card } = payment
  const guard = card && cardGuard(needs, { row, address })
  for (const delayMs of needs.roomDelaysMs ?? ROOM_DELAYS_MS) {
    const paid = await pay(needs, { ...payment, guard })
    if (paid === NO_PLACE || !('denied' in paid) || paid.denied !== 'busy') return paid
    await sleep(delayMs)
  }
  return pay(needs, { ...payment, guard })
}

/** What a link's pause says before anything is counted. */
export function pausedCards(link: LinkRow, now: Date): Limited | undefined {
  const retryAfterSeconds = secondsOfPause(link, now)
  return retryAfterSeconds > 0
    ? limitedBy(link, { denied: 'paused', retryAfterSeconds })
    : undefined
}

/** Pix stays open. */
export function limitedBy({ methods }: LinkRow, { denied, retryAfterSeconds }: Denied): Limited {
  return methods.includes('pix')
    ? { message: checkoutTexts.cards[denied], retryAfterSeconds, method: 'pix' }
    : { message: checkoutTexts.cardsOnly[denied], retryAfterSeconds }
}
