// The view models by the name of each view.

import type {
  PaymentState,
  PaymentViewModel,
  SandboxChallengeViewModel,
  UnknownPaymentViewModel,
} from './payment/view-models.ts'
import type { CheckoutTexts } from './texts/pt.ts'
import type {
  AbuseReportViewModel,
  AddressField,
  AddressView,
  AnswerName,
  CardFields,
  CheckoutLayout,
  CustomFieldView,
  FieldName,
  InstallmentOption,
  LanguageOption,
  LinkViewModel,
  MailStopViewModel,
  MerchantView,
  ReceiptRequestViewModel,
  UnpayableViewModel,
} from './view-models.ts'

type StateOf<State extends PaymentState> = Extract<PaymentViewModel, { state: State }>

declare module '../http/html.ts' {
  interface Views {
    'checkout/layout': Omit<CheckoutLayout, 'merchant' | 't' | 'languages'> & {
      t: Pick<CheckoutTexts, 'layout'>
      languages?: LanguageOption[]
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
    'checkout/link/bought': LinkViewModel
    'checkout/link/card-brands': Pick<LinkViewModel, 'cardBrands'>
    'checkout/link/choice': Pick<LinkViewModel, 'errors' | 't'> & { field: CustomFieldView }
    'checkout/link/custom-fields': LinkViewModel
    'checkout/link/card': LinkViewModel & { chosen: InstallmentOption }
    'checkout/link/billing-address': Pick<LinkViewModel, 'errors' | 't'> & { fields: AddressView[] }
    'checkout/link/card-frames': LinkViewModel & { cardFields: CardFields }
    'checkout/link/card-inputs': LinkViewModel
    'checkout/link/field': Pick<LinkViewModel, 'errors' | 't'> & { field: CheckoutField }
    'checkout/link/field-error': Pick<LinkViewModel, 't'> & { id: string; message: string }
    'checkout/link/form-errors': LinkViewModel
    'checkout/link/form-texts': LinkViewModel
    'checkout/link/installments': LinkViewModel & { chosen: InstallmentOption }
    'checkout/link/method': LinkViewModel
    'checkout/link/payer': LinkViewModel
    'checkout/link/test-cards': LinkViewModel
    'checkout/link/mail-stop': MailStopViewModel
    'checkout/link/receipt-request': ReceiptRequestViewModel
    'checkout/link/unavailable': UnpayableViewModel
    'checkout/payment/page': PaymentViewModel
    'checkout/payment/approved': StateOf<'approved'>
    'checkout/payment/receipt': StateOf<'approved'>
    'checkout/payment/contact': Pick<PaymentViewModel, 'contact' | 't'>
    'checkout/payment/closed': PaymentViewModel
    'checkout/payment/challenge': StateOf<'challenge'>
    'checkout/payment/redirect': StateOf<'redirect'>
    'checkout/payment/declined': StateOf<'declined'>
    'checkout/payment/due': Pick<PaymentViewModel, 'link' | 'due' | 't'>
    'checkout/payment/expired': StateOf<'expired' | 'canceled'>
    'checkout/payment/held': StateOf<'held'>
    'checkout/payment/sold-out': StateOf<'soldOut'>
    'checkout/payment/pix': StateOf<'pix'>
    'checkout/payment/processing': PaymentViewModel
    'checkout/payment/returned': PaymentViewModel
    'checkout/payment/unknown': UnknownPaymentViewModel
    'checkout/payment/sandbox-challenge': SandboxChallengeViewModel
    'checkout/report/page': AbuseReportViewModel
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
