// The mails that there are, and what each of them tells: facts alone. What they read like is decided
// when they are sent (templates.ts and its like, render.ts).
import type {
  DeliveryOutcome,
  DisputeKind,
  EventType,
  Locale,
  PaymentMethod,
  ProviderName,
  Role,
} from '../database/enums.ts'
import type { mailTexts } from './texts.ts'

/** A payment that was approved. */
export type ApprovedPayment = {
  transactionId: string
  linkTitle: string
  payerName: string
  method: PaymentMethod
  amountCents: number
  totalCents: number
  installments: number
  installmentCents: number
  card: { brand: string; last4: string } | null
  endToEndId: string | null
  paidAt: string
  testMode: boolean
  /** What it was paid in; absent: Portuguese. */
  locale?: Locale | null
}

type DisputedPayment = {
  transactionId: string
  linkTitle: string
  payerName: string
  kind: DisputeKind
  /** What is contested; of a payment of `totalCents`. */
  amountCents: number
  totalCents: number
  testMode: boolean
}

/** By the names that the audit log has for them, a new device aside. */
export type SecurityChange = keyof typeof mailTexts.security.what

export type MailData = {
  /** To the payer. */
  receipt: ApprovedPayment & { receiptUrl: string }
  /** To the payer: some of it, or the rest, was given back. */
  refund: {
    transactionId: string
    linkTitle: string
    method: PaymentMethod
    refundCents: number
    /** All that was given back so far. */
    refundedCents: number
    totalCents: number
    receiptUrl: string
    testMode: boolean
    locale?: Locale | null
  }
  /** To the company. */
  payment: ApprovedPayment & { paidLate: boolean }
  /** To the company: another amount came in than was asked for; null where it can't be read. */
  'payment-held': {
    transactionId: string
    linkTitle: string
    payerName: string
    receivedCents: number | null
    totalCents: number
    testMode: boolean
  }
  /** To the company: more came in than a payment was for. */
  'payment-overpaid': {
    transactionId: string
    linkTitle: string
    payerName: string
    receivedCents: number
    surplusCents: number
    totalCents: number
    testMode: boolean
  }
  /** To the company: the payer contests a payment with a bank. */
  'dispute-opened': DisputedPayment & {
    reason: string
    /** Where the company answers, in a sentence. */
    answerAt: string
    /** Null where the provider names no day. */
    respondBy: string | null
  }
  'dispute-closed': DisputedPayment & { isWon: boolean }
  /** To the company: a delivery was given up. */
  'webhook-failed': {
    deliveryId: string
    url: string
    eventType: EventType
    attempts: number
    outcome: DeliveryOutcome
    statusCode: number | null
    failedAt: string
    testMode: boolean
  }
  /** To the company: a link takes no cards for a while, because too many were declined on it. */
  'cards-paused': {
    linkId: string
    linkTitle: string
    /** Whether it can still be paid by Pix. */
    pix: boolean
    until: string
    testMode: boolean
  }
  /** To the company: its provider tells somebody else, or nobody, what is paid. */
  'notifications-lost': {
    provider: ProviderName
    /** Whose address stands in place of ours; null: none. */
    url: string | null
    testMode: boolean
  }
  /** To the company: what its provider tells cannot be believed, since its signature is not good. */
  'notifications-refused': { provider: ProviderName; testMode: boolean }
  /** To the company: money came in that names none of its charges. */
  'payments-unmatched': { amountsCents: number[]; testMode: boolean }
  /** To a person and the owners of their company: who reaches the account, or the money, has changed. */
  'security-notice': {
    what: SecurityChange
    /** Whether whom it is about reads it, and whether an owner does; who is in the company no more is neither. */
    isSelf: boolean
    isOwner: boolean
    companyName: string
    /** Who did it. */
    actor: string
    /** What it was done to. */
    subject: string | null
    device: string | null
    address: string | null
    at: string
    testMode: boolean
  }
  'password-reset': { secretLink: string }
  invitation: { secretLink: string; invitedBy: string; role: Role }
}

export type TemplateName = keyof MailData

/** In whose name a mail goes out, and where the pages are that it links to. */
export type MailBranding = {
  /** No trailing slash. */
  baseUrl: string
  /** Null where it goes out in our own. */
  company: {
    name: string
    taxId: string | null
    color: string | null
    logoUrl: string | null
    supportEmail: string | null
    supportPhone: string | null
  } | null
}
