// Every page of the checkout with its view model, inferred from the function that makes it. A part of one page has no
// line, unless it reads what only some states of the page have (test/views/compile.ts).

import type { CustomFieldView } from './answers.ts'
import type { listAddressFields } from './billing-address.ts'
import type { AddressField, AnswerName, FieldName } from './form-values.ts'
import type { buildCheckoutLayout, MerchantView } from './layout.ts'
import type { buildStopPage } from './link/mail-stop.ts'
import type { InstallmentOption, LinkViewModel } from './link/page.ts'
import type { buildRequestPage } from './link/receipt-request.ts'
import type { UnpayablePage } from './link/unavailable.ts'
import type { buildUnknownPaymentViewModel, PaymentViewModel } from './payment/page.ts'
import type { loadChallengePage } from './payment/sandbox-routes.ts'
import type { PaymentState } from './payment-state.ts'
import type { buildReportPage } from './report/routes.ts'
import type { CheckoutTexts } from './texts/pt.ts'

type CheckoutLayout = ReturnType<typeof buildCheckoutLayout>
type StateOf<State extends PaymentState> = Extract<PaymentViewModel, { state: State }>

declare module '../http/html.ts' {
  interface Views {
    'checkout/layout': Pick<CheckoutLayout, 'asset' | 'testMode' | 'reportUrl'> & {
      t: Pick<CheckoutTexts, 'layout'>
      languages?: CheckoutLayout['languages']
      title: string
      body: string
      merchant: MerchantView | null
      preview?: LinkViewModel['preview']
      /** After how many seconds a page without JavaScript asks again. */
      refresh?: string | null
      /** The address to which the page leads at once, also without a script. */
      onTo?: string | null
      /** Two columns where there is room. */
      isSplit?: boolean
      /** Addresses of scripts. */
      scripts?: string[]
    }
    'checkout/merchant': MerchantView
    'checkout/link/page': LinkViewModel
    'checkout/link/card-brands': Pick<LinkViewModel, 'cardBrands'>
    'checkout/link/choice': Pick<LinkViewModel, 'errors' | 't'> & { field: CustomFieldView }
    'checkout/link/card': LinkViewModel & { chosen: InstallmentOption }
    'checkout/link/billing-address': Pick<LinkViewModel, 'errors' | 't'> & {
      fields: ReturnType<typeof listAddressFields>
    }
    'checkout/link/card-frames': LinkViewModel & {
      cardFields: NonNullable<LinkViewModel['cardFields']>
    }
    'checkout/link/field': Pick<LinkViewModel, 'errors' | 't'> & { field: CheckoutField }
    'checkout/link/field-error': Pick<LinkViewModel, 't'> & { id: string; message: string }
    'checkout/link/installments': LinkViewModel & { chosen: InstallmentOption }
    'checkout/link/mail-stop': ReturnType<typeof buildStopPage>
    'checkout/link/receipt-request': ReturnType<typeof buildRequestPage>
    'checkout/link/unavailable': UnpayablePage
    'checkout/payment/page': PaymentViewModel
    'checkout/payment/approved': StateOf<'approved'>
    'checkout/payment/contact': Pick<PaymentViewModel, 'contact' | 't'>
    'checkout/payment/challenge': StateOf<'challenge'>
    'checkout/payment/redirect': StateOf<'redirect'>
    'checkout/payment/declined': StateOf<'declined'>
    'checkout/payment/due': Pick<PaymentViewModel, 'link' | 'due' | 't'>
    'checkout/payment/expired': StateOf<'expired' | 'canceled'>
    'checkout/payment/held': StateOf<'held'>
    'checkout/payment/sold-out': StateOf<'soldOut'>
    'checkout/payment/pix': StateOf<'pix'>
    'checkout/payment/unknown': ReturnType<typeof buildUnknownPaymentViewModel>
    'checkout/payment/sandbox-challenge': Awaited<ReturnType<typeof loadChallengePage>>
    'checkout/report/page': ReturnType<typeof buildReportPage>
  }
}

type CheckoutField = {
  /** Optional, except for payers by card. */
  isForCards?: boolean
  id: string
  label: string
  /** Absent when the value never leaves the browser, as for a card. */
  name?: FieldName | AnswerName | AddressField
  value?: string
  type?: 'email' | 'tel' | CustomFieldView['type']
  hint?: string | null
  inputmode?: 'numeric' | CustomFieldView['inputmode']
  autocomplete?: string
  autocapitalize?: 'characters'
  /** Mostly digits, sometimes letters: the payer may switch keyboards. */
  hasLetters?: boolean
  /** The label where the payer has no CPF. */
  labelAbroad?: string | null
  /** For a card's inputs, which are never sent; other long values are refused, not cut. */
  maxlength?: number
} & Partial<
  Pick<CustomFieldView, 'pattern' | 'min' | 'max' | 'isOptional' | 'whenEmpty' | 'whenInvalid'>
>
