// What providers report about a card, and about how the payer's bank authenticates it.
import type { DeclineCode } from '../database/enums.ts'
import type { EnteredCard, ThreeDs } from './provider.ts'

/** What a provider's reason for a declined card means, and whether the same card may be tried again. */
export type DeclineReason = readonly [code: DeclineCode, retryable: boolean]

/** Names that providers have for a brand beside its usual one. */
const BRAND_NAMES: Record<string, string> = { americanexpress: 'amex', master: 'mastercard' }
/** The ECI of a card that its bank authenticated: Mastercard's, and that of all other brands. */
const AUTHENTICATED_ECIS = ['02', '05']

type ReportedCard = Partial<Record<'brand' | 'last4' | 'holder', string | null | undefined>>

/** Undefined unless brand and last four digits can both be read. */
export function toEnteredCard({
  brand,
  last4 = '',
  holder,
}: ReportedCard): EnteredCard | undefined {
  const name = brand?.toLowerCase().replace(/[^a-z]/g, '')
  if (!name || !last4 || !/^\d{4}$/.test(last4)) return undefined
  return { brand: BRAND_NAMES[name] ?? name, last4, holder: holder?.toUpperCase() ?? null }
}

/** A card is authenticated only if an ECI says so: the request for 3-D Secure proves nothing. */
export function toThreeDs(ecis: (string | null | undefined)[], isChallenge: boolean): ThreeDs {
  const eci = ecis.find((one) => one && /^\d{1,2}$/.test(one))?.padStart(2, '0') ?? null
  const status = eci && AUTHENTICATED_ECIS.includes(eci) ? 'authenticated' : 'attempted'
  return { status, eci, flow: isChallenge ? 'challenge' : 'frictionless' }
}

/** Marks the fields to post to a bank's page. They are stored in the fragment of its address, as one text. */
const MARK = '#post:'

export type BankStep = { url: string; fields: [name: string, value: string][] }

export function formatBankStep({ url, fields }: BankStep) {
  if (fields.length === 0) return url
  return `${url.replace(/#.*/s, '')}${MARK}${new URLSearchParams(fields)}`
}

export function parseBankStep(address: string): BankStep {
  const at = address.indexOf(MARK)
  if (at < 0) return { url: address, fields: [] }
  const fields = [...new URLSearchParams(address.slice(at + MARK.length))]
  return { url: address.slice(0, at), fields }
}
