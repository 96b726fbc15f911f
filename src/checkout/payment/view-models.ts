// The view models of a payment's page, for each state.
import type { BankStep } from '../../providers/card.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import type {
  CheckoutLayout,
  ContactView,
  LanguageOption,
  LinkSummary,
  MerchantView,
  SoldOutReason,
} from '../view-models.ts'

export type PaymentViewModel = CheckoutLayout & {
  link: LinkSummary
  /** The page's own address; the script polls `${url}/status` and fetches `url` when it changed. */
  url: string
  /** Equals `state` in the status answer. */
  state: PaymentState
  /** Changes whenever the page would look different; equals `version` in the status answer. */
  version: string
  /** The payer's total: `R$ 106,05`. */
  total: string
  /** The shown amount: the total, or after the end of this payment the current price of its method. */
  due: string
  /** The form for another attempt, with the typed values; null when the link accepts no more payments. */
  retryUrl: string | null
  /** Whether the link accepts another method than this payment's. */
  hasOtherWay: boolean
  /** The same form with Pix chosen; null when the link does not accept Pix. */
  pixUrl: string | null
  /** The amount of that form: `R$ 100,00`. */
  pixPrice: string | null
  /** Where the payer can ask the company about this payment; null without a contact. */
  contact: ContactView | null
} & (
    | { state: 'pix'; pix: PixViewModel }
    | { state: 'processing'; isPix: boolean }
    | {
        state: 'challenge'
        /** The bank's address. With fields, the browser leaves this page and posts them there. */
        challenge: BankStep
        expiresAt: string
        /** `até 14:35`, São Paulo. */
        expiresText: string
      }
    | {
        state: 'redirect'
        /** The provider's own page, and the provider's common name. */
        pageUrl: string
        provider: string
        /** Whether the payer is led there at once: they have just sent the form. */
        isOnItsWay: boolean
        expiresAt: string
        expiresText: string
      }
    | { state: 'declined'; decline: DeclineViewModel }
    /** Null when the link accepts no more payments by Pix. */
    | { state: 'expired' | 'canceled'; isPix: boolean; renewal: { action: string } | null }
    | { state: 'approved'; receipt: ReceiptViewModel; returnTo: ReturnRedirect | null }
    | { state: 'held'; received: string | null }
    | { state: 'soldOut'; reason: SoldOutReason; isPix: boolean }
    | { state: 'returned' }
  )

export type PaymentState =
  | 'pix'
  | 'processing'
  | 'challenge'
  /** To be paid at the provider's own page. */
  | 'redirect'
  | 'declined'
  | 'expired'
  | 'canceled'
  /** Other payers have paid the link, so this payment's code must not be paid any more. */
  | 'soldOut'
  | 'approved'
  | 'held'
  | 'returned'

export type PixViewModel = {
  code: string
  /** Inline SVG, black on white, quiet zone of 4 modules. */
  qrSvg: string
  /** Both in ISO 8601, by the server's clock. */
  expiresAt: string
  now: string
  /** `até 14:35` or `até 22/11 às 14:35`, São Paulo. */
  expiresText: string
  /** The receiver that the payer's bank will show, as the code names it; null for an unreadable code. */
  payee: string | null
  /** Only in test mode: the address of the button "Simular pagamento". */
  simulateAction: string | null
}

/** A payment that was not approved: the reason, and the next step with a card. */
export type DeclineViewModel = {
  reason: string
  /** Where the money is, and what to do. */
  advice: string
  /** `Corrigir código` */
  action: string
  /** Null when the link accepts no more payments. */
  url: string | null
}

export type ReceiptViewModel = {
  amount: string
  /** The discount of a Pix, `− R$ 5,00`; null without one. */
  discount: string | null
  total: string
  /** `Pix` or `Cartão de crédito` */
  method: string
  /** `3x de R$ 35,35`; null for Pix. */
  installments: string | null
  /** `Visa •••• 4242` */
  card: string | null
  endToEndId: string | null
  payer: string
  /** The answers to custom questions. */
  answers: { label: string; value: string }[]
  /** `21/11/2026 às 14:05:09 (horário de Brasília)` */
  paidAt: string
  paidAtIso: string
  transactionId: string
  refunded: string | null
  /** The amount that the bank returned after a dispute. */
  chargedBack: string | null
  /** All of the money was returned. */
  isReversed: boolean
  /** The amount above the total, which the company refunds. */
  surplus: string | null
  /** The company's own text; null without one, and once the money was returned. */
  message: string | null
  /** A wa.me address with the receipt's text. */
  whatsappUrl: string
  /** The address to pay the same link again; null when that is impossible. */
  againUrl: string | null
}

/** `seconds`: when the page goes there automatically; null when it does not. */
export type ReturnRedirect = { url: string; host: string; seconds: number | null }

/** The sandbox's bank, in a frame of the payment's page or alone, or its acquirer; posts `answer`: approve | refuse. */
export type SandboxChallengeViewModel = {
  asset(file: string): string
  t: CheckoutTexts
  merchantName: string
  amount: string
  last4: string
  /** The amount at the acquirer's page: `3x de R$ 35,35`. Null at the bank's page, where a purchase is confirmed. */
  installments: string | null
  action: string
  answered: boolean
  continueUrl: string
}

/** An address without a payment; `linkUrl` is null when the link does not exist either. */
export type UnknownPaymentViewModel = {
  asset(file: string): string
  t: CheckoutTexts
  languages: LanguageOption[]
  testMode: boolean
  merchant: MerchantView | null
  reportUrl: null
  linkUrl: string | null
}
