// The dependencies of the checkout's pages.

import type { Cipher } from '../database/encryption/cipher.ts'
import type { GetAssetUrl } from '../http/assets.ts'
import type { Limiter } from '../http/limiter.ts'
import type { LinkWithCompany } from '../payment-links/payment-link.ts'
import type { PayNeeds } from '../transactions/needs.ts'
import type { VisitCounter } from './visit-counter.ts'

export type FindLink = (slug: string) => Promise<LinkWithCompany | undefined>

export type CheckoutNeeds = PayNeeds & {
  limiter: Limiter
  cipher: Cipher
  asset: GetAssetUrl
  baseUrl: string
  /** The path of checkoutUrl, where its routes are mounted; no trailing slash. */
  mount: string
  findLink: FindLink
  visits: VisitCounter
  /** Draws the QR code of a text as inline SVG. */
  drawQr(text: string): string
  /** Whether cookies are sent only over HTTPS. */
  secure: boolean
  /** The pauses before a card is tried again because too many are in progress. */
  capacityDelaysMs?: readonly number[]
}
