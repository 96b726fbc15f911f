// How much may be tried before the payer is asked to wait: payments of any kind by link and address here,
// cards in card-testing.ts; and the sentence that the payer reads.

import { listOfferedMethods } from '../../companies/company.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { getNetwork } from '../../http/ip.ts'
import type { LinkRow, LinkWithCompany } from '../../payment-links/payment-link.ts'
import type { AttemptRefusal } from '../../transactions/create.ts'
import type { PayLinkNeeds } from '../needs.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import { getCardPauseSeconds } from './card-pause.ts'

/** What to wait for; the same form sent again is no further payment. */
type LimitNotice = {
  message: string
  method?: 'pix'
  retryAfterSeconds: number
  isHeldUp?: boolean
}

type AttemptSender = { attempt: string; address: string; t: CheckoutTexts }

/** Many people may be behind one address. */
const PAYMENT_LIMIT = { max: 30, windowMs: MINUTE_MS }

type LimitResult = { kind: 'counted' } | { kind: 'limited'; notice: LimitNotice }

export async function limitPayments(
  { limiter }: Pick<PayLinkNeeds, 'limiter'>,
  { id }: LinkRow,
  { attempt, address, t }: AttemptSender,
): Promise<LimitResult> {
  const hit = await limiter.countHit(`pay:${id}:${getNetwork(address)}`, PAYMENT_LIMIT, attempt)
  if (!hit.exceeded) return { kind: 'counted' }
  const retryAfterSeconds = Math.ceil(hit.retryAfterMs / 1_000)
  return { kind: 'limited', notice: { message: t.failures.tooManyAttempts, retryAfterSeconds } }
}

/** What a link's pause says before anything is counted; undefined where it takes cards. */
export function getCardPauseNotice(
  found: LinkWithCompany,
  now: Date,
  t: CheckoutTexts,
): LimitNotice | undefined {
  const retryAfterSeconds = getCardPauseSeconds(found.link, now)
  if (retryAfterSeconds === 0) return undefined
  return toLimitNotice(found, { reason: 'paused', retryAfterSeconds }, t)
}

/** Pix stays open where it is offered. */
export function toLimitNotice(
  found: LinkWithCompany,
  { reason, retryAfterSeconds }: Omit<AttemptRefusal, 'kind'>,
  t: CheckoutTexts,
): LimitNotice {
  const limit = { retryAfterSeconds, isHeldUp: reason !== 'paused' }
  const message = getCardTexts(found, t)[reason]
  return isPixOffered(found) ? { ...limit, message, method: 'pix' } : { ...limit, message }
}

/** What is said of a card: Pix is named only where it is offered. */
export function getCardTexts(found: LinkWithCompany, { cards, cardsOnly }: CheckoutTexts) {
  return isPixOffered(found) ? cards : cardsOnly
}

function isPixOffered({ link, company }: LinkWithCompany) {
  return listOfferedMethods(company, link.methods).includes('pix')
}
