// The page that a link opens: what is asked for, and the form to pay it.

import { formatBrl, formatRate } from '../../format.ts'
import type { Asset } from '../../http/html.ts'
import {
  formatInstallment,
  isQuotedByProvider,
  type Quote,
  quoteLink,
} from '../../payment-links/installments.ts'
import type { LinkRow, LinkWithCompany } from '../../payment-links/payment-link.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import { isTestLink } from '../../payment-links/test-mode.ts'
import { buildCheckoutLayout } from '../layout.ts'
import { checkoutTexts } from '../texts.ts'
import type { InstallmentOption, LinkSummary, LinkViewModel } from '../view-models.ts'
import type { CardEntryForm } from './card-fields.ts'
import { hashQuotes } from './quotes.ts'

export type CheckoutViewNeeds = {
  asset: Asset
  baseUrl: string
  checkoutUrl: string
  /** Path of checkoutUrl, under which its routes are mounted; no trailing slash. */
  mount: string
}

export type FormState = Pick<
  LinkViewModel,
  'attempt' | 'values' | 'errors' | 'notice' | 'linkedCustomer'
> & { cardsPaused: boolean }

export function buildLinkViewModel(
  needs: CheckoutViewNeeds,
  { link, company }: LinkWithCompany,
  cardWay: CardEntryForm | null,
  state: FormState,
): LinkViewModel {
  const { asset, baseUrl, mount } = needs
  const quotes = quoteLink(link, company)
  const most = isQuotedByProvider(company) ? link.maxInstallments : quotes.at(-1)!.installments
  const pix = link.methods.includes('pix')
  const card = cardWay !== null
  const path = `${mount}/${link.slug}`
  const method = link.methods.includes(state.values.method)
    ? state.values.method
    : pix
      ? 'pix'
      : 'credit_card'
  return {
    ...buildCheckoutLayout(company, {
      asset,
      // It says that nothing is charged: only where that is so, whatever the payer chooses.
      testMode: isTestLink(link, company),
      reportUrl: `${path}/report`,
    }),
    ...state,
    values: { ...state.values, method },
    link: toLinkSummary(needs, link),
    preview: {
      title: checkoutTexts.previewTitle(company.name),
      description: formatLinkPreview(link, most),
      imageUrl: company.logoUrl ?? `${new URL(baseUrl).origin}${asset('preview.png')}`,
    },
    action: `${path}/payments`,
    quote: hashQuotes(quotes),
    methods: { pix, card },
    tests: { pix: company.pixTestMode, card: company.cardTestMode },
    askPhone: company.askPhone,
    installments: card ? quotes.map((quote) => toInstallmentOption(quote, link.amountCents)) : [],
    mostInstallments: most,
    cardScript: cardWay && asset(cardWay.script),
    cardFields: cardWay?.publicKey
      ? { publicKey: cardWay.publicKey, quotesUrl: most > 1 ? `${path}/quotes` : null }
      : null,
  }
}

export function toLinkSummary({ checkoutUrl }: CheckoutViewNeeds, link: LinkRow): LinkSummary {
  return {
    title: link.title,
    description: link.description,
    amount: formatBrl(link.amountCents),
    url: linkUrl(checkoutUrl, link.slug),
  }
}

export function toInstallmentOption(quote: Quote, amountCents: number): InstallmentOption {
  const { installments: count, totalCents, rateBps } = quote
  const total = formatBrl(totalCents)
  const note = checkoutTexts.rateNote(formatRate(rateBps), total, formatBrl(amountCents))
  return {
    count,
    text: formatInstallment(quote),
    note: rateBps > 0 ? note : null,
    button: checkoutTexts.payIn(total, count),
  }
}

/** `Bolo de cenoura · R$ 19,90 · Pix ou cartão em até 12x` */
function formatLinkPreview({ title, amountCents, methods }: LinkRow, most: number) {
  const ways = methods.map((method) =>
    method === 'pix' ? checkoutTexts.previewPix : checkoutTexts.previewCard(most),
  )
  return [title, formatBrl(amountCents), ways.join(' ou ')].join(' · ')
}
