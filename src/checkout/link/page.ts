// Builds the page of a link: what it sells, and the form to pay it.

import { listOfferedMethods } from '../../companies/company.ts'
import type { CustomerRow } from '../../customers/customer.ts'
import type { PaymentMethod } from '../../database/enums.ts'
import { formatBrl, formatCardBrand, formatPercent, formatRate } from '../../format.ts'
import { isQuotedByProvider, type Quote } from '../../payment-links/installments.ts'
import type { LinkRow, LinkWithCompany } from '../../payment-links/payment-link.ts'
import { listCustomFieldViews } from '../answers.ts'
import { listAddressFields } from '../billing-address.ts'
import type { CardEntryForm } from '../card-entry.ts'
import type { FormAttempt } from '../form.ts'
import { asksBillingAddress, resolveAskedFields, takesForeignDocuments } from '../form-fields.ts'
import type { FormErrors, FormValues } from '../form-values.ts'
import { buildCheckoutLayout, type LinkSummary, toLinkSummary } from '../layout.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { linkPath, reportPath } from '../paths.ts'
import { quoteForm, type ShownQuotes } from '../quotes.ts'
import type { buildKnownDocument } from '../sealed-prefill.ts'
import type { CheckoutTexts } from '../texts/pt.ts'

/** About four lines on a desktop, six on a narrow phone. */
const MAX_SHORT_DESCRIPTION = 220
const MAX_SHORT_LINES = 4

type FormState = {
  t: CheckoutTexts
  /** Hidden field: the attempt of the form. */
  attempt: string
  values: FormValues
  errors: FormErrors
  notice: FormNotice | null
  /**
   * The customer that a link is meant for, masked. Then the form asks for the document alone, and name, email and phone
   * are not posted. Null on links for anyone.
   */
  linkedCustomer: ReturnType<typeof maskLinkedCustomer>
  /** The payer's document, if it was sealed in the address; null if the form asks for it. */
  knownDocument: ReturnType<typeof buildKnownDocument>
  /** The query of the form's address, if it differs from the link's own: `?new=1763949600000`. */
  query: string
}

/** A form as a route shows it; the rest is known of the link. */
export type RenderedForm = Omit<FormState, 'linkedCustomer' | 'knownDocument' | 'attempt'> & {
  attempt: FormAttempt
}

/** One sentence above the form: a changed price, a declined card, a payment in progress elsewhere. */
export type FormNotice = {
  tone: 'info' | 'warning' | 'error'
  text: string
  href?: string
  link?: string
  /** The form is the answer to a sent form, and must not look like a new one. */
  isAnswer?: true
}

export type LinkViewModel = ReturnType<typeof buildLinkViewModel>

export function buildLinkViewModel(
  needs: CheckoutNeeds,
  found: LinkWithCompany,
  cardEntry: CardEntryForm | null,
  state: FormState,
) {
  const { link, company } = found
  const { asset } = needs
  const { t } = state
  const shown = quoteForm(found)
  const { quotes, name } = shown
  const most = isQuotedByProvider(company)
    ? link.maxInstallments
    : Math.max(...quotes.map(({ installments }) => installments))
  const offered = listOfferedMethods(company, link.methods)
  const pix = offered.includes('pix')
  const card = cardEntry !== null
  const enteredAt = cardEntry?.isElsewhere ? cardEntry.provider : null
  const path = linkPath(needs, link.slug)
  const summary = toLinkSummary(needs, link, t)
  const offers = buildOffers(shown, { summary, offered, most, t })
  const asked = resolveAskedFields(company, offered, Boolean(needs.mail))
  return {
    ...buildCheckoutLayout(company, {
      ...{ asset, t },
      address: `${path}${state.query}`,
      testMode: company.testMode,
      reportUrl: reportPath(needs, link.slug),
    }),
    ...state,
    values: { ...state.values, method: chooseShownMethod(offered, state.values.method) },
    link: summary,
    ...offers,
    preview: buildLinkPreview(needs, found, { ...offers, summary, offered, most, t }),
    action: `${path}/payments`,
    // A hidden field says what the payer saw, so that a stale form is noticed.
    quote: name,
    // Cards are left out during a card pause, if there is Pix.
    methods: { pix, card },
    ...asked,
    takesForeignDocuments: card && takesForeignDocuments(company),
    description: link.description === null ? null : shortenDescription(link.description),
    customFields: listCustomFieldViews(link.customFields, state.values.answers, t.answers),
    ...buildInstallmentChoice(card ? quotes : [], link, { ...state, enteredAt }),
    // The highest number of installments of any card.
    mostInstallments: most,
    cardBrands: listCardBrands(cardEntry),
    script: asset(cardEntry?.script ?? 'checkout.js'),
    cardFields: buildCardFields(cardEntry, {
      path,
      isQuoted: most > 1 && isQuotedByProvider(company),
    }),
    // The provider with its own page for entering the card; null if this form takes the card.
    enteredAt,
    billingAddress:
      card && asksBillingAddress(company) ? listAddressFields(state.values.address, t) : null,
  }
}

/** The provider's frames into which the card is typed; null if our own inputs take the card. */
function buildCardFields(
  cardEntry: CardEntryForm | null,
  { path, isQuoted }: { path: string; isQuoted: boolean },
) {
  if (!cardEntry?.publicKey) return null
  const { provider, publicKey, hasSession } = cardEntry
  // Quotes installments by a card's first digits; null when there is only one installment.
  const quotesUrl = isQuoted ? `${path}/quotes` : null
  return { provider, publicKey, quotesUrl, sessionUrl: hasSession ? `${path}/card` : null }
}

/** Returns the former choice, if it is still offered. */
function chooseShownMethod(offered: readonly PaymentMethod[], chosen: PaymentMethod) {
  if (offered.includes(chosen)) return chosen
  return offered.includes('pix') ? 'pix' : 'credit_card'
}

/** The price of a Pix; `discount`: the texts where that is less than the link's price. */
type PixPriceView = { amount: string; discount: { short: string; both: string } | null }

type OfferParts = { summary: LinkSummary; offered: PaymentMethod[]; most: number; t: CheckoutTexts }

/** The texts at the choices of Pix and card. They name the amounts only if these differ. */
function buildOffers(
  { quotes, pix: { totalCents, discountCents, discountBps } }: ShownQuotes,
  { summary, offered, most, t }: OfferParts,
): { pixPrice: PixPriceView | null; cardOffer: string } {
  const cardOffer = formatCardOffer(quotes, most, t)
  const amount = formatBrl(totalCents, t.locale)
  if (!offered.includes('pix')) return { pixPrice: null, cardOffer }
  if (discountCents === 0) return { pixPrice: { amount, discount: null }, cardOffer }
  const share = t.discount(formatPercent(discountBps, t.locale))
  const cardPrice = offered.includes('credit_card') ? summary.amount : null
  const both = t.pricesWithPix(cardPrice, amount, share)
  const discount = { short: `${amount} · ${share}`, both }
  return { pixPrice: { amount, discount }, cardOffer: `${summary.amount} · ${cardOffer}` }
}

function listCardBrands(cardEntry: CardEntryForm | null) {
  return (cardEntry?.brands ?? []).map((brand) => ({ brand, name: formatCardBrand(brand) }))
}

function buildInstallmentChoice(
  quotes: Quote[],
  { amountCents }: LinkRow,
  { values, enteredAt, t }: FormState & { enteredAt: string | null },
) {
  const options = quotes.map((quote) => toInstallmentOption(quote, amountCents, t))
  const installments = enteredAt
    ? options.map((option) => ({ ...option, button: t.link.continueAt(enteredAt) }))
    : options
  const wanted = installments.find(({ count }) => count === values.installments)
  return { installments, chosen: wanted ?? installments[0] }
}

export type InstallmentOption = ReturnType<typeof toInstallmentOption>

export function toInstallmentOption(quote: Quote, amountCents: number, t: CheckoutTexts) {
  const {
    installments: count,
    installmentCents,
    firstInstallmentCents,
    totalCents,
    rateBps,
  } = quote
  const total = formatBrl(totalCents, t.locale)
  const isEven = firstInstallmentCents === installmentCents
  return {
    count,
    part: t.part(count, formatBrl(installmentCents, t.locale)),
    /** `primeira de R$ 33,34`, if it differs from the others. */
    first: isEven ? null : t.firstPart(formatBrl(firstInstallmentCents, t.locale)),
    total,
    terms: formatTerms(quote, t),
    note:
      rateBps > 0
        ? t.rateNote(formatRate(rateBps, t.locale), total, formatBrl(amountCents, t.locale))
        : null,
    button: t.payIn(total, count),
  }
}

function formatTerms({ installments, rateBps }: Quote, t: CheckoutTexts) {
  const { atSight, interestFree, rate } = t.terms
  if (installments === 1) return atSight
  return rateBps > 0 ? rate(formatRate(rateBps, t.locale)) : interestFree
}

/** The amount of a part is known only when it does not depend on the card. */
function formatCardOffer(quotes: Quote[], most: number, t: CheckoutTexts) {
  const { atSight, upTo, upToParts, upToFree } = t.cardOffer
  const last = quotes.at(-1)
  if (most === 1) return atSight
  if (last?.installments !== most) return upTo(most)
  const part = formatBrl(last.installmentCents, t.locale)
  return last.rateBps > 0 ? upToParts(most, part) : upToFree(most, part)
}

/** `start` is shown first, cut at the end of a word; null when it is the whole text. */
function shortenDescription(whole: string) {
  const lines = whole.split('\n').slice(0, MAX_SHORT_LINES).join('\n')
  if (lines.length <= MAX_SHORT_DESCRIPTION) {
    return { start: lines.length < whole.length ? lines : null, whole }
  }
  const short = [...lines].slice(0, MAX_SHORT_DESCRIPTION).join('')
  return { start: short.replace(/\s\S*$/, '').replace(/[.,;:]$/, ''), whole }
}

type PreviewParts = OfferParts & { pixPrice: PixPriceView | null }

/** The preview in chats, `Bolo de cenoura · R$ 19,90 · Pix ou cartão`, with the link's image, the company's or ours. */
function buildLinkPreview(
  { baseUrl, asset }: CheckoutNeeds,
  { link, company }: LinkWithCompany,
  { summary, pixPrice, offered, most, t }: PreviewParts,
) {
  const price = pixPrice?.discount?.both ?? summary.amount
  const ours = `${new URL(baseUrl).origin}${asset('preview.png')}`
  return {
    title: t.preview.title(company.name),
    description: [link.title, price, formatWays(offered, most, t)].join(' · '),
    imageUrl: summary.imageUrl ?? company.logoUrl ?? ours,
  }
}

/** `Pix ou cartão em até 12x` */
function formatWays(methods: PaymentMethod[], most: number, { preview }: CheckoutTexts) {
  const ways = methods.map((method) => (method === 'pix' ? preview.pix : preview.card(most)))
  return ways.join(preview.or)
}

/**
 * The customer of a link, as payers see it: only as much as the customers themselves recognise, since the payer must
 * type the document. Null when the customer has no document: then the form asks for everything.
 */
export function maskLinkedCustomer(customer: CustomerRow | undefined) {
  if (!customer?.taxId) return null
  return { name: maskName(customer.name), email: customer.email && maskEmail(customer.email) }
}

/** Returns `M••••• S••••` for every Maria da Silva: the dots do not show the length. */
function maskName(name: string) {
  const [first = '', ...rest] = name.split(/\s+/).filter(Boolean)
  const last = rest.at(-1)
  const given = `${getInitial(first)}•••••`
  return last === undefined ? given : `${given} ${getInitial(last)}••••`
}

/** Returns `m•••@e••••.com.br`. */
function maskEmail(email: string) {
  const [name = '', domain = ''] = email.split('@')
  const ending = /(?:\.(?:com|net|org|gov|edu))?\.[^.]+$/.exec(domain)?.[0] ?? ''
  return `${getInitial(name)}•••@${getInitial(domain)}••••${ending}`
}

function getInitial(word: string) {
  return [...word][0] ?? ''
}
