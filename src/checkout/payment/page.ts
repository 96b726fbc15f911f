// Builds a payment's own page for every state of the payment, up to its receipt.

import { listOfferedMethods } from '../../companies/company.ts'
import type { PaymentMethod } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { formatBrl, formatDay, formatTime, getForeignDocument, isSameDay } from '../../format.ts'
import { quotePix } from '../../payment-links/installments.ts'
import { getLinkStatus, type LinkWithCompany } from '../../payment-links/payment-link.ts'
import { readMerchantName } from '../../providers/br-code.ts'
import { parseBankStep } from '../../providers/card.ts'
import { getProfile } from '../../providers/registry.ts'
import { paymentUrl } from '../../transactions/serialize.ts'
import { isSandboxPix } from '../../transactions/simulation/simulate.ts'
import { getSoldTitle, type TransactionRow } from '../../transactions/transaction.ts'
import { buildContact } from '../contact.ts'
import { buildCheckoutLayout, listLanguageOptions, toLinkSummary, toMerchant } from '../layout.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { linkPath, newPaymentPath, paymentPath, reportPath } from '../paths.ts'
import { getPaymentState, getSoldOutReason, type PaymentState } from '../payment-state.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import { buildDeclineViewModel } from './declines.ts'
import { buildReceipt } from './receipt.ts'
import { buildReturnRedirect } from './redirect.ts'

type PaymentCircumstances = {
  t: CheckoutTexts
  now: Date
  /** The amount above the total that is not refunded yet. */
  surplusCents?: number
  /** For a declined payment: whether its card may be tried again. */
  isCardOpen?: boolean
  /** Whether the payer sees the approval for the first time. */
  isFirstSeen?: boolean
  /** Whether the payer has just sent the form. */
  isOnItsWay?: boolean
}

type PageCircumstances = Pick<PaymentCircumstances, 't' | 'now'>

export type PaymentViewModel = ReturnType<typeof buildPaymentViewModel>

/** The script asks whether `state` and `version` have changed, and then becomes the new page. */
export function buildPaymentViewModel(
  needs: CheckoutNeeds,
  row: TransactionRow,
  found: LinkWithCompany,
  {
    t,
    now,
    surplusCents = 0,
    isCardOpen = true,
    isFirstSeen = false,
    isOnItsWay = false,
  }: PaymentCircumstances,
) {
  const { link } = found
  const offered = listPayableMethods(found, now)
  const state = getPaymentState(row, link, now)
  const waysOn = buildWaysOn(needs, found, { offered, now, t })
  const price = row.method === 'pix' ? waysOn.pixPrice : formatBrl(link.amountCents, t.locale)
  const layout = buildPaymentLayout(needs, row, found, t)
  const common = {
    ...layout,
    ...waysOn,
    // After the end of this payment, the current price of its method.
    due: (isOver(state) && waysOn.pixPrice && price) || layout.total,
    hasOtherWay: offered.some((method) => method !== row.method),
  }
  switch (state) {
    case 'pix':
      return { ...common, state, pix: buildPixViewModel(needs, row, common.url, { t, now }) }
    case 'challenge':
      return {
        ...common,
        state,
        challenge: parseBankStep(requireFound(row.challengeUrl)),
        ...buildExpiry(row, { t, now }),
      }
    case 'redirect':
      return {
        ...{ ...common, state },
        pageUrl: requireFound(row.challengeUrl),
        provider: getProfile(row.provider).name,
        isOnItsWay,
        ...buildExpiry(row, { t, now }),
      }
    case 'declined':
      return {
        ...common,
        state,
        decline: buildDeclineViewModel(row, {
          t,
          isCardOpen,
          isPixOpen: offered.includes('pix'),
          formUrl: offered.includes('credit_card')
            ? `${newPaymentPath(needs, link.slug, now)}&method=credit_card`
            : null,
        }),
      }
    case 'expired':
    case 'canceled':
      return {
        ...common,
        state,
        isPix: row.method === 'pix',
        renewal: offered.includes('pix') ? buildRenewal(row, common.url, found) : null,
      }
    case 'held': {
      const { receivedCents } = row
      return {
        ...common,
        state,
        received: receivedCents === null ? null : formatBrl(receivedCents, t.locale),
      }
    }
    case 'approved': {
      const receipt = buildReceipt(needs, row, found, { t, now, surplusCents })
      const returnTo = buildReturnRedirect(needs.cipher, row, found, {
        now,
        goesByItself: isFirstSeen,
      })
      return { ...common, state, receipt, returnTo }
    }
    case 'processing':
      return { ...common, state, isPix: row.method === 'pix' }
    case 'soldOut':
      return { ...common, state, reason: getSoldOutReason(link), isPix: row.method === 'pix' }
    default:
      return { ...common, state }
  }
}

function buildPaymentLayout(
  needs: CheckoutNeeds,
  row: TransactionRow,
  { link, company }: LinkWithCompany,
  t: CheckoutTexts,
) {
  const { asset, checkoutUrl } = needs
  const total = formatBrl(row.totalCents, t.locale)
  const url = paymentPath(needs, link.slug, row.token)
  const title = getSoldTitle(row, link)
  const text = t.payment.help(title, total, paymentUrl(checkoutUrl, link.slug, row.token))
  return {
    ...buildCheckoutLayout(company, {
      ...{ asset, t },
      address: url,
      testMode: row.testMode,
      reportUrl: reportPath(needs, link.slug),
    }),
    link: { ...toLinkSummary(needs, link, t), title },
    url,
    version: row.updatedAt,
    total,
    contact: buildContact(company, { subject: t.unpayable.contactSubject(title), text }),
  }
}

/** The amount of an ended payment, with its interest, is not the one of the next try. */
function isOver(state: PaymentState) {
  return state === 'declined' || state === 'expired' || state === 'canceled'
}

function listPayableMethods({ link, company }: LinkWithCompany, now: Date) {
  return getLinkStatus(link, now) === 'active' ? listOfferedMethods(company, link.methods) : []
}

/** The address that makes a new code, with the price that its button shows; null without a CPF, which a Pix needs. */
function buildRenewal(row: TransactionRow, url: string, { link, company }: LinkWithCompany) {
  if (getForeignDocument(row.payerTaxId)) return null
  return { action: `${url}/renew?price=${quotePix(link, company).totalCents}` }
}

function buildWaysOn(
  needs: CheckoutNeeds,
  { link, company }: LinkWithCompany,
  { offered, now, t }: { offered: PaymentMethod[]; now: Date; t: CheckoutTexts },
) {
  const form = newPaymentPath(needs, link.slug, now)
  const isPixOpen = offered.includes('pix')
  return {
    retryUrl: offered.length > 0 ? form : null,
    pixUrl: isPixOpen ? `${form}&method=pix` : null,
    pixPrice: isPixOpen ? formatBrl(quotePix(link, company).totalCents, t.locale) : null,
  }
}

export function buildUnknownPaymentViewModel(
  needs: CheckoutNeeds,
  found: LinkWithCompany | undefined,
  { t, address }: { t: CheckoutTexts; address: string },
) {
  return {
    ...{ asset: needs.asset, t },
    languages: listLanguageOptions(t, address),
    testMode: found?.company.testMode ?? false,
    merchant: found ? toMerchant(found.company) : null,
    reportUrl: null,
    linkUrl: found ? linkPath(needs, found.link.slug) : null,
  }
}

function buildPixViewModel(
  { drawQr }: CheckoutNeeds,
  row: TransactionRow,
  url: string,
  { t, now }: PageCircumstances,
) {
  const code = requireFound(row.pixBrCode)
  return {
    code,
    // The size is needed before the stylesheet loads, but must not be in the drawing, which is also printed.
    qrSvg: drawQr(code).replace('<svg ', '<svg width="280" height="280" '),
    now: now.toISOString(),
    ...buildExpiry(row, { t, now }),
    // The receiver that the payer's bank will show; null for an unreadable code.
    payee: readMerchantName(code),
    simulateAction: isSandboxPix(row) ? `${url}/simulate` : null,
  }
}

function buildExpiry(row: TransactionRow, { t, now }: PageCircumstances) {
  const expiresAt = requireFound(row.expiresAt)
  const time = formatTime(expiresAt)
  const { until, untilDay, zone } = t.payment
  const deadline = isSameDay(expiresAt, now)
    ? until(time)
    : untilDay(formatDay(expiresAt, t.locale), time)
  return { expiresAt, expiresText: `${deadline} ${zone}` }
}
