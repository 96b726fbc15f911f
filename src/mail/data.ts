// All mails, with the data of each. The data are facts only; their wording is made when the mail is sent
// (templates.ts, render.ts).
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

type Payment = {
  transactionId: string
  linkTitle: string
  payerName: string
  totalCents: number
  testMode: boolean
}

/** A payment that was approved. */
export type ApprovedPayment = Payment & {
  method: PaymentMethod
  amountCents: number
  installments: number
  installmentCents: number
  card: { brand: string; last4: string } | null
  endToEndId: string | null
  paidAt: string
  /** The payer's language; Portuguese by default. */
  locale?: Locale | null
}

type DisputedPayment = Payment & {
  kind: DisputeKind
  /** The disputed part of `totalCents`. */
  amountCents: number
}

/** The link of a mail to its payer. */
type SentLink = {
  linkTitle: string
  amountCents: number
  /** The price by Pix, if it is lower. */
  pixCents?: number
  methods: PaymentMethod[]
  expiresAt: string | null
  payUrl: string
  /** The page that stops these e-mails. */
  stopUrl: string
  testMode: boolean
  locale: Locale | null
}

/** Named as in the audit log, except a new device. */
export type SecurityChange = keyof typeof mailTexts.security.what

export type MailData = {
  /** To the payer. */
  receipt: ApprovedPayment & {
    receiptUrl: string
    /** The sum refunded since the payment; absent when nothing was. */
    refundedCents?: number
  }
  /** To the payer: a refund of a part, or of the rest. */
  refund: Omit<Payment, 'payerName'> & {
    method: PaymentMethod
    refundCents: number
    /** The sum of all refunds so far. */
    refundedCents: number
    receiptUrl: string
    locale?: Locale | null
  }
  /** To a payer, sent by the company. */
  'payment-link': SentLink
  /** To a payer: the link is still unpaid. */
  'payment-reminder': SentLink
  /** To the company. */
  payment: ApprovedPayment & { paidLate: boolean }
  /** To the company: the amount received differs from the amount asked for, or can't be read (null). */
  'payment-held': Payment & { receivedCents: number | null }
  /** To the company: more was received than a payment was for. */
  'payment-overpaid': Payment & { receivedCents: number; surplusCents: number }
  /** To the company: a refund that its provider had accepted was not made; `reason` is a sentence. */
  'refund-failed': Payment & { amountCents: number; reason: string }
  /** To the company: the payer disputes a payment with a bank. */
  'dispute-opened': DisputedPayment & {
    reason: string
    /** A sentence that says where the company answers. */
    answerAt: string
    /** By when to answer; null when only the provider knows. `isDay`: until the end of that day. */
    deadline: { at: string; isDay: boolean } | null
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
  /** To the company: a link takes no cards for a while, because too many were declined. */
  'cards-paused': {
    linkId: string
    linkTitle: string
    /** Whether it can still be paid by Pix. */
    pix: boolean
    until: string
    testMode: boolean
  }
  /** To the company: its provider sends notifications to another address, or to none. */
  'notifications-lost': {
    provider: ProviderName
    /** The address that is registered in place of ours; null for none. */
    url: string | null
    testMode: boolean
  }
  /** To the company: the signatures of its provider's notifications are not valid, or it no longer sends any. */
  'notifications-refused': { provider: ProviderName; testMode: boolean; isSilent?: true }
  /** To the company: money was received that belongs to no known charge. */
  'payments-unmatched': { amountsCents: number[]; testMode: boolean }
  /** To a person and the owners of their company: access to the account, or to the money, has changed. */
  'security-notice': {
    what: SecurityChange
    /** Whether the reader is the person it is about, and whether an owner; a removed person is neither. */
    isSelf: boolean
    isOwner: boolean
    companyName: string
    /** The person who acted. */
    actor: string
    /** The subject of the action. */
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

/** The sender that a mail shows, and the base of its links. */
export type MailBranding = {
  /** No trailing slash. */
  baseUrl: string
  /** Null for mails in our own name. */
  company: {
    name: string
    taxId: string | null
    color: string | null
    logoUrl: string | null
    supportEmail: string | null
    supportPhone: string | null
  } | null
}
