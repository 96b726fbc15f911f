// What the checkout's pages need.

import type { Cipher } from '../database/sealing/encryption.ts'
import type { GetAssetUrl } from '../http/assets/serve.ts'
import type { Limiter } from '../http/limiter.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { LinkWithCompany } from '../payment-links/payment-link.ts'
import type { PayNeeds } from '../transactions/needs.ts'
import type { VisitCounter } from './link/visit-counter.ts'

export type CheckoutViewNeeds = {
  asset: GetAssetUrl
  baseUrl: string
  checkoutUrl: string
  /** Path of checkoutUrl, under which its routes are mounted; no trailing slash. */
  mount: string
  /** Null or absent: no e-mail is sent. */
  mail?: Outbox | null
}

/** What it takes to pay a link. */
export type PayLinkNeeds = PayNeeds & {
  limiter: Limiter
  cipher: Cipher
  /** Pauses before a card is tried again that found too many in progress. */
  capacityDelaysMs?: readonly number[]
}

export type FindLink = (slug: string) => Promise<LinkWithCompany | undefined>

export type CheckoutNeeds = CheckoutViewNeeds &
  PayLinkNeeds & {
    findLink: FindLink
    visits: VisitCounter
    /** The QR code of a text, as inline SVG. */
    drawQr(text: string): string
    /** Whether cookies go over HTTPS alone. */
    secure: boolean
  }
