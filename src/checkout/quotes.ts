// The quotes that a payer sees, and whether they are still valid: the charged amounts are those that the page showed.
import { hash } from 'node:crypto'
import { requireFound } from '../database/found.ts'
import { toRecord } from '../http/fields.ts'
import {
  isQuotedByProvider,
  type Quote,
  quoteLink,
  quoteLinkByProvider,
  quotePix,
} from '../payment-links/installments.ts'
import type { LinkWithCompany } from '../payment-links/payment-link.ts'
import type { Providers } from '../providers/provider.ts'

/** The first digits of a card, which identify only its issuer. */
const BIN_PATTERN = /^\d{6,8}$/

/** Returns a name of quotes that changes with each amount. */
export function hashQuotes(quotes: Quote[]) {
  return hash('sha256', JSON.stringify(quotes), 'base64url').slice(0, 16)
}

/** Returns the provider's quotes for a card with these first digits. Throws while the provider does not answer. */
export async function fetchCardQuotes(
  providers: Providers,
  { link, company }: LinkWithCompany,
  bin: string,
): Promise<Quote[]> {
  const { quotes } = await providers.open(company.id, requireFound(company.cardProvider))
  const rows = await quotes?.({ bin, amountCents: link.amountCents })
  return quoteLinkByProvider(link, company, rows ?? [])
}

/** `name`: the price, the price of a Pix if it differs, and a hash that distinguishes these quotes from all others. */
export type ShownQuotes = { quotes: Quote[]; pix: ReturnType<typeof quotePix>; name: string }

/** Returns the quotes that the form of this link shows until a card is known, with their name. */
export function quoteForm({ link, company }: LinkWithCompany): ShownQuotes {
  const quotes = quoteLink(link, company)
  const pix = quotePix(link, company)
  const prices = [...new Set([link.amountCents, pix.totalCents])]
  return { quotes, pix, name: [...prices, hashQuotes(quotes)].join('-') }
}

const QUOTES_NAME = /^(\d+)-(?:(\d+)-)?([\w-]{16})$/

/**
 * Finds what has changed since the sent form was shown, by the name of its quotes; undefined when nothing has changed
 * that counts for `method`: Pix has no installments, and a card has no discount. A name in an unknown format does not
 * show the price.
 */
export function findQuoteChange(
  found: LinkWithCompany,
  { quote: sent, method }: { quote?: unknown; method?: unknown },
): 'amountChanged' | 'installmentsChanged' | 'formExpired' | undefined {
  const { name, pix, quotes } = quoteForm(found)
  if (sent === name) return undefined
  const read = QUOTES_NAME.exec(String(sent))
  if (!read) return 'formExpired'
  const [, price, pixPrice = price, quotesHash] = read
  if (Number(price) !== found.link.amountCents) return 'amountChanged'
  if (method === 'pix') return Number(pixPrice) === pix.totalCents ? undefined : 'amountChanged'
  return quotesHash === hashQuotes(quotes) ? undefined : 'installmentsChanged'
}

type RevalidatedQuotes =
  | { kind: 'quoted'; quotes: Quote[] }
  /** The quotes have changed. */
  | { kind: 'changed' }

/** Requests the quotes of a card's form again. */
export async function revalidateQuotes(
  providers: Providers,
  found: LinkWithCompany,
  body: unknown,
): Promise<RevalidatedQuotes> {
  const { cardBin, cardQuote } = toRecord(body)
  const bin = parseBin(cardBin)
  // Without a quoted card there was only one installment to choose.
  if (!bin || !cardQuote || !isQuotedByProvider(found.company)) {
    return { kind: 'quoted', quotes: quoteForm(found).quotes }
  }
  const quotes = await fetchCardQuotes(providers, found, bin)
  return cardQuote === hashQuotes(quotes) ? { kind: 'quoted', quotes } : { kind: 'changed' }
}

export function parseBin(value: unknown) {
  return typeof value === 'string' && BIN_PATTERN.test(value) ? value : undefined
}
