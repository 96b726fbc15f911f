// The page that a link opens: what is asked for, and the form to pay it.

import { listOfferedMethods } from '../../companies/company.ts'
import type { PaymentMethod } from '../../database/enums.ts'
import { formatBrl, formatRate } from '../../format.ts'
import {
  formatInstallment,
  isQuotedByProvider,
  type Quote,
} from '../../payment-links/installments.ts'
import type { LinkRow, LinkWithCompany } from '../../payment-links/payment-link.ts'
import { listCustomFieldViews } from '../answers.ts'
import type { CardEntryForm } from '../card-entry.ts'
import { buildCheckoutLayout, toLinkSummary } from '../layout.ts'
import type { CheckoutViewNeeds } from '../needs.ts'
import { linkPath, reportPath } from '../paths.ts'
import { quoteForm } from '../quotes.ts'
import { checkoutTexts } from '../texts.ts'
import type { InstallmentOption, LinkSummary, LinkViewModel } from '../view-models.ts'

export type FormState = Pick<
  LinkViewModel,
  'attempt' | 'values' | 'errors' | 'notice' | 'linkedCustomer'
> & { cardsPaused: boolean }

export function buildLinkViewModel(
  needs: CheckoutViewNeeds,
  found: LinkWithCompany,
  cardEntry: CardEntryForm | null,
  state: FormState,
): LinkViewModel {
  const { link, company } = found
  const { asset } = needs
  const { quotes, hash } = quoteForm(found)
  const most = isQuotedByProvider(company)
    ? link.maxInstallments
    : Math.max(...quotes.map(({ installments }) => installments))
  const offered = listOfferedMethods(company, link.methods)
  const pix = offered.includes('pix')
  const card = cardEntry !== null
  const path = linkPath(needs, link.slug)
  const summary = toLinkSummary(needs, link)
  const method = offered.includes(state.values.method)
    ? state.values.method
    : pix
      ? 'pix'
      : 'credit_card'
  return {
    ...buildCheckoutLayout(company, {
      asset,
      testMode: company.testMode,
      reportUrl: reportPath(needs, link.slug),
    }),
    ...state,
    values: { ...state.values, method },
    link: summary,
    preview: buildLinkPreview(needs, found, { summary, offered, most }),
    action: `${path}/payments`,
    quote: hash,
    methods: { pix, card },
    askPhone: company.askPhone,
    customFields: listCustomFieldViews(link.customFields, state.values.answers),
    installments: card ? quotes.map((quote) => toInstallmentOption(quote, link.amountCents)) : [],
    mostInstallments: most,
    script: asset(cardEntry?.script ?? 'checkout.js'),
    cardFields: cardEntry?.publicKey
      ? { publicKey: cardEntry.publicKey, quotesUrl: most > 1 ? `${path}/quotes` : null }
      : null,
  }
}

export function toInstallmentOption(quote: Quote, amountCents: number): InstallmentOption {
  const { installments: count, totalCents, rateBps } = quote
  const total = formatBrl(totalCents)
  return {
    count,
    text: formatInstallment(quote),
    note:
      rateBps > 0
        ? checkoutTexts.rateNote(formatRate(rateBps), total, formatBrl(amountCents))
        : null,
    button: checkoutTexts.payIn(total, count),
  }
}

type PreviewParts = { summary: LinkSummary; offered: PaymentMethod[]; most: number }

/** What chats draw of the link: its image, else the company's, else ours. */
function buildLinkPreview(
  { baseUrl, asset }: CheckoutViewNeeds,
  { link, company }: LinkWithCompany,
  { summary, offered, most }: PreviewParts,
) {
  const ours = `${new URL(baseUrl).origin}${asset('preview.png')}`
  return {
    title: checkoutTexts.previewTitle(company.name),
    description: formatLinkPreview({ ...link, methods: offered }, most),
    imageUrl: summary.imageUrl ?? company.logoUrl ?? ours,
  }
}

/** `Bolo de cenoura · R$ 19,90 · Pix ou cartão em até 12x` */
function formatLinkPreview({ title, amountCents, methods }: LinkRow, most: number) {
  const ways = methods.map((method) =>
    method === 'pix' ? checkoutTexts.previewPix : checkoutTexts.previewCard(most),
  )
  return [title, formatBrl(amountCents), ways.join(' ou ')].join(' · ')
}
