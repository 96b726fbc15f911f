// The page that a link opens: what is asked for, and the form to pay it.
import { createHash } from 'node:crypto'
import type { Company } from '../companies/company.ts'
import type { Method } from '../database/words.ts'
import { formatBrl, formatRate } from '../format.ts'
import type { Asset } from '../http/pages.ts'
import { installmentText, type Quote, quotesFor } from '../payment-links/installments.ts'
import type { LinkRow, LinkWithCompany } from '../payment-links/payment-link.ts'
import { isTestMode } from '../payment-links/told.ts'
import { linkUrl } from '../payment-links/wire.ts'
import type { Providers } from '../providers/provider.ts'
import { texts } from '../texts.ts'
import type { InstallmentOption, LinkPage, LinkSummary } from './pages.ts'
import { shellOf } from './shell.ts'

export type PageNeeds = {
  asset: Asset
  baseUrl: string
  checkoutUrl: string
  /** Path of checkoutUrl, under which its routes are mounted; no trailing slash. */
  mount: string
  providers: Providers
}

export type FormState = Pick<
  LinkPage,
  'attempt' | 'values' | 'errors' | 'notice' | 'linkedCustomer'
>

export function linkPage(
  needs: PageNeeds,
  { link, company }: LinkWithCompany,
  state: FormState,
): LinkPage {
  const { asset, baseUrl, mount } = needs
  const quotes = quotesFor(link, company)
  const pix = link.methods.includes('pix')
  const card = link.methods.includes('credit_card')
  const path = `${mount}/${link.slug}`
  const method = link.methods.includes(state.values.method)
    ? state.values.method
    : pix
      ? 'pix'
      : 'credit_card'
  return {
    ...shellOf(company, {
      asset,
      testMode: isTestMode(needs.providers, company),
      reportUrl: `${path}/report`,
    }),
    ...state,
    values: { ...state.values, method },
    link: summaryOf(needs, link),
    preview: {
      title: texts.checkout.previewTitle(company.name),
      description: previewText(link, quotes),
      imageUrl: company.logoUrl ?? `${new URL(baseUrl).origin}${asset('preview.png')}`,
    },
    action: `${path}/payments`,
    quote: quoteKey(quotes),
    methods: { pix, card },
    askPhone: company.askPhone,
    installments: card ? quotes.map((quote) => optionOf(quote, link.amountCents)) : [],
    cardScript: asset('sandbox-card.js'),
  }
}

export function summaryOf({ checkoutUrl }: PageNeeds, link: LinkRow): LinkSummary {
  return {
    title: link.title,
    description: link.description,
    amount: formatBrl(link.amountCents),
    url: linkUrl(checkoutUrl, link.slug),
  }
}

/** Names what a payer was shown: it differs whenever any amount of it does. */
export function quoteKey(quotes: Quote[]) {
  return createHash('sha256').update(JSON.stringify(quotes)).digest('base64url').slice(0, 16)
}

export function providerOf(providers: Providers, company: Company, method: Method) {
  return providers[method === 'pix' ? company.pixProvider : company.cardProvider]
}

function optionOf(quote: Quote, amountCents: number): InstallmentOption {
  const { installments: count, totalCents, rateBps } = quote
  const total = formatBrl(totalCents)
  const note = texts.checkout.rateNote(formatRate(rateBps), total, formatBrl(amountCents))
  return {
    count,
    text: installmentText(quote),
    note: rateBps > 0 ? note : null,
    button: texts.checkout.payIn(total, count),
  }
}

/** `Bolo de cenoura · R$ 19,90 · Pix ou cartão em até 12x` */
function previewText({ title, amountCents, methods }: LinkRow, quotes: Quote[]) {
  const most = quotes.at(-1)!.installments
  const ways = methods.map((method) =>
    method === 'pix' ? texts.checkout.previewPix : texts.checkout.previewCard(most),
  )
  return [title, formatBrl(amountCents), ways.join(' ou ')].join(' · ')
}
