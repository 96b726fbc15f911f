// The page of a link that cannot be paid: what happened, and what to do.
import type { Asset } from '../http/pages.ts'
import { type LinkWithCompany, statusOf } from '../payment-links/payment-link.ts'
import type { UnpayablePage } from './pages.ts'
import { merchantOf } from './shell.ts'

export function unknownPage(asset: Asset): UnpayablePage {
  return { ...COMMON, asset, merchant: null, reason: 'unknown', message: null, title: null }
}

export function unpayablePage(
  asset: Asset,
  { link, company }: LinkWithCompany,
  now: Date,
): UnpayablePage {
  const status = statusOf(link, now)
  const reason = status === 'expired' || status === 'completed' ? status : 'inactive'
  const { inactiveMessage: message, title } = link
  return { ...COMMON, asset, merchant: merchantOf(company), reason, message, title }
}

const COMMON = { testMode: false, reportUrl: null } as const
