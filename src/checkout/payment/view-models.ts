// What the page of a payment is made of, in each of its states.
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
  /** `R$ 106,05`, what the payer pays in all. */
  total: string
  /** What the page shows as the amount: the total, or once this payment is over what Pix costs, where it is taken. */
  due: string
  /** Back to the form for another attempt, keeping what was typed; null where the link takes no more payments. */
  retryUrl: string | null
  /** Whether it may be paid there by another method than this payment's. */
  hasOtherWay: boolean
  /** The same, with Pix chosen; null where the link does not take Pix. */
  pixUrl: string | null
  /** `R$ 100,00`, what is paid there. */
  pixPrice: string | null
  /** Where the company is asked about this payment; null where it has said no way to. */
  contact: ContactView | null
} & (
    | { state: 'pix'; pix: PixViewModel }
    | { state: 'processing'; isPix: boolean }
    | {
        state: 'challenge'
        challengeUrl: string
        expiresAt: string
        /** `até 14:35`, São Paulo. */
        expiresText: string
      }
    | {
        state: 'redirect'
        /** The provider's own page, and the name that people know the provider by. */
        pageUrl: string
        provider: string
        /** Whether the payer is led there at once: they have just sent the form. */
        isOnItsWay: boolean
        expiresAt: string
        expiresText: string
      }
    | { state: 'declined'; decline: DeclineViewModel }
    /** Null where the link takes no more payments by Pix. */
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
  /** The link was paid by others: its code is not to be paid any more. */
  | 'soldOut'
  | 'approved'
  | 'held'
  | 'returned'

export type PixViewModel = {
  code: string
  /** Inline SVG, black on white, quiet zone of 4 modules. */
  qrSvg: string
  /** ISO 8601, both by the server's clock. */
  expiresAt: string
  now: string
  /** `até 14:35` or `até 22/11 às 14:35`, São Paulo. */
  expiresText: string
  /** Whom the payer's bank will name, as the code says; null of a code that we cannot read. */
  payee: string | null
  /** In test mode only: where the button "Simular pagamento" posts to. */
  simulateAction: string | null
}

/** A payment that was not approved: why, and the one step that may lead on with a card. */
export type DeclineViewModel = {
  reason: string
  /** What became of the money, and what to do. */
  advice: string
  /** `Corrigir código` */
  action: string
  /** Null where the link takes no more payments. */
  url: string | null
}

export type ReceiptViewModel = {
  amount: string
  total: string
  /** `Pix` or `Cartão de crédito` */
  method: string
  /** `3x de R$ 35,35`, null for Pix. */
  installments: string | null
  /** `Visa •••• 4242` */
  card: string | null
  endToEndId: string | null
  payer: string
  /** What the company asked besides. */
  answers: { label: string; value: string }[]
  /** `21/11/2026 às 14:05:09 (horário de Brasília)` */
  paidAt: string
  paidAtIso: string
  transactionId: string
  refunded: string | null
  /** What the bank gave back after a dispute. */
  chargedBack: string | null
  /** Nothing of it is left with the company. */
  isReversed: boolean
  /** More came in than the total; the company gives it back. */
  surplus: string | null
  /** The company's own words; null without any, and once the money went back. */
  message: string | null
  /** wa.me address with the receipt's text. */
  whatsappUrl: string
  /** Pay the same link once more; null where it cannot be. */
  againUrl: string | null
}

/** `seconds`: when the page goes there by itself; null where it does not. */
export type ReturnRedirect = { url: string; host: string; seconds: number | null }

/** The sandbox's bank, in a frame of the payment's page or alone, or its acquirer; posts `answer`: approve | refuse. */
export type SandboxChallengeViewModel = {
  asset(file: string): string
  t: CheckoutTexts
  merchantName: string
  amount: string
  last4: string
  /** What is paid at the acquirer's page: `3x de R$ 35,35`. Null of the bank's, where a purchase is confirmed. */
  installments: string | null
  action: string
  answered: boolean
  /** The payment's page. */
  continueUrl: string
}

/** An address of a payment that there is not; `linkUrl` is null where there is no such link either. */
export type UnknownPaymentViewModel = {
  asset(file: string): string
  t: CheckoutTexts
  languages: LanguageOption[]
  testMode: boolean
  merchant: MerchantView | null
  reportUrl: null
  linkUrl: string | null
}
