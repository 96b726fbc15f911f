// The page of a link that cannot be paid: what happened, and what to do.
import type { Asset } from '../../http/html.ts'
import { type LinkWithCompany, statusOf } from '../../payment-links/payment-link.ts'
import { secondsOfPause } from '../payment/card-testing.ts'
import { merchantOf } from '../shell.ts'
import type { UnpayablePage } from '../view-models.ts'

export function unknownPage(asset: Asset): UnpayablePage {
  return { ...COMMON, asset, merchant: null, reason: 'unknown', message: null, title: null }
}

export function unpayablePage(
  asset: Asset,
  { link, company }: LinkWithCompany,
  now: Date,
): UnpayablePage {
  const page = { ...COMMON, asset, merchant: merchantOf(company), title: link.title }
  const status = statusOf(link, now)
  const retryAfterSeconds = secondsOfPause(link, now)
  if (status === 'active' && retryAfterSeconds > 0) {
    return { ...page, reason: 'cards_paused', message: null, retryAfterSeconds }
  }
  const reason = status === 'expired' || status === 'completed' ? status : 'inactive'
  return { ...page, reason, message: link.inactiveMessage }
}

const COMMON = { testMode: false, reportUrl: null, retryAfterSeconds: null } as const
