// Addresses of the checkout, as its pages link to each other.
import { parseDecimal, toRecord } from '../http/fields.ts'

export type Mounted = { mount: string }

export function linkPath({ mount }: Mounted, slug: string) {
  return `${mount}/${encodeURIComponent(slug)}`
}

/** The form for another payment; the payer knows the payments up to this instant. */
export function newPaymentPath(needs: Mounted, slug: string, knownUntil: Date) {
  return linkPath(needs, slug) + buildNewQuery(knownUntil)
}

export function buildNewQuery(knownUntil: Date) {
  return `?new=${knownUntil.getTime()}`
}

/** Reads the instant up to which the payer knows the payments, in ms; 0 when the address has none. */
export function readKnownMs(query: unknown) {
  return parseDecimal(String(toRecord(query).new)) || 0
}

/** The price in cents that the button of a page showed; null without one. */
export function readShownPrice(query: unknown) {
  return parseDecimal(String(toRecord(query).price)) || null
}

export function receiptRequestPath(needs: Mounted, slug: string) {
  return `${linkPath(needs, slug)}/receipt`
}

export function mailStopPath(needs: Mounted, slug: string, token: string) {
  return `${linkPath(needs, slug)}/emails/${encodeURIComponent(token)}`
}

export function reportPath(needs: Mounted, slug: string) {
  return `${linkPath(needs, slug)}/report`
}

const ON_ITS_WAY = { name: 'go', value: '1' }

/** The page of a payment that leads to the provider's page at once. */
export function onwardPath(needs: Mounted, slug: string, token: string) {
  return `${paymentPath(needs, slug, token)}?${ON_ITS_WAY.name}=${ON_ITS_WAY.value}`
}

export function isOnItsWay(query: unknown) {
  return toRecord(query)[ON_ITS_WAY.name] === ON_ITS_WAY.value
}

export function paymentPath(needs: Mounted, slug: string, token: string) {
  return `${linkPath(needs, slug)}/payments/${encodeURIComponent(token)}`
}
