// The enumerations of the data model, in columns and in the API.

export const PAYMENT_METHODS = ['pix', 'credit_card'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** The languages of payers' pages; the first is the default. */
export const LOCALES = ['pt', 'en', 'es'] as const
export type Locale = (typeof LOCALES)[number]

/** What an address says of a campaign: `?utm_source=…`. */
export const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const
export type UtmName = (typeof UTM_NAMES)[number]

export const INTEREST_MODES = ['absorb', 'pass_to_customer'] as const
export type InterestMode = (typeof INTEREST_MODES)[number]

/** Whether payers are asked for their e-mail; `auto`: required where the service sends e-mails, else optional. */
export const PAYER_EMAIL_MODES = ['auto', 'required', 'optional', 'none'] as const
export type PayerEmailMode = (typeof PAYER_EMAIL_MODES)[number]

export const FEE_SOURCES = ['company', 'provider'] as const
export type FeeSource = (typeof FEE_SOURCES)[number]

export const CUSTOM_FIELD_TYPES = ['text', 'number', 'choice', 'date'] as const
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number]

export type StoredLinkStatus = 'active' | 'inactive' | 'completed' | 'archived'
export const LINK_STATUSES = ['active', 'inactive', 'expired', 'completed', 'archived'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

export const TRANSACTION_STATUSES = [
  'pending',
  'awaiting_authentication',
  'processing',
  'approved',
  'declined',
  'expired',
  'canceled',
  'partially_refunded',
  'refunded',
  'charged_back',
] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** Payments without a verdict yet. */
export const OPEN_STATUSES: readonly TransactionStatus[] = [
  'pending',
  'processing',
  'awaiting_authentication',
]
/** Card payments that are at the bank and may still be approved. */
export const IN_PROGRESS_STATUSES: readonly TransactionStatus[] = [
  'processing',
  'awaiting_authentication',
]
/** Payments that received money, even if it was given back: they count towards `maxPayments`. */
export const PAID_STATUSES: readonly TransactionStatus[] = [
  'approved',
  'partially_refunded',
  'refunded',
]
/** Payments that may still be refunded, in part or whole. */
export const REFUNDABLE_STATUSES: readonly TransactionStatus[] = ['approved', 'partially_refunded']

/** Of the test environment: cards are typed in our form, or at a page as an acquirer has. */
export const SANDBOX_NAMES = ['sandbox', 'sandbox-page'] as const
export type SandboxName = (typeof SANDBOX_NAMES)[number]
export const PROVIDER_NAMES = [
  ...SANDBOX_NAMES,
  'pix-api',
  'mercadopago',
  'openpix',
  'pagarme',
  'malga',
] as const
export type ProviderName = (typeof PROVIDER_NAMES)[number]
/** One that a company has an account of its own at. */
export type RealProvider = Exclude<ProviderName, SandboxName>

export function isSandbox(provider: ProviderName): provider is SandboxName {
  return SANDBOX_NAMES.some((name) => name === provider)
}

/**
 * The state of the address at which a provider notifies us about an account. `kept`: another system's address is
 * registered there, and was left; `lost`: ours was replaced.
 */
export type RegistrationState = 'registered' | 'kept' | 'lost'

/** Their rights: users/roles.ts. */
export const ROLES = ['owner', 'finance', 'member', 'accountant'] as const
export type Role = (typeof ROLES)[number]

/** The steps of a payment that its row lacks: answers of providers and their effect. */
export type StepKind =
  /** The provider was unreachable or failed; `reason`. */
  | 'provider_failed'
  /** The payer was sent to the bank to confirm. */
  | 'challenge'
  /** The payer was sent to the provider's own page to pay there. */
  | 'provider_page'
  /** The provider has not decided yet. */
  | 'processing'
  /** The payment got `status`; `source` is charge, notification, reconciliation or refund. */
  | 'settled'
  /** Waits for a decision of the company; `receivedCents`, `totalCents`. */
  | 'held'
  /** The company accepted the received amount as the price; `receivedCents`, the former `totalCents`. */
  | 'accepted'
  /** The provider notified us; `provider`. */
  | 'notified'
  /** The provider was asked to void a charge that was approved too late. */
  | 'voided'
  /** A refund was requested, made or refused; `refundId`, `status`, `amountCents`. */
  | 'refund'

export const DECLINE_CODES = [
  'generic',
  'insufficient_funds',
  'expired_card',
  'invalid_card',
  'invalid_cvv',
  'suspected_fraud',
  'lost_or_stolen',
  'not_permitted',
  'invalid_installments',
  'attempts_exceeded',
  'threeds_failed',
  'provider_error',
] as const
export type DeclineCode = (typeof DECLINE_CODES)[number]

export const EVENT_TYPES = [
  'transaction.approved',
  'transaction.created',
  'transaction.declined',
  'transaction.expired',
  'transaction.held',
  'transaction.canceled',
  'transaction.refunded',
  'transaction.overpaid',
  'transaction.surplus_refunded',
  'transaction.refund_failed',
  'transaction.charged_back',
  'dispute.opened',
  'dispute.closed',
  'incoming_payment.unmatched',
  'incoming_payment.matched',
  'incoming_payment.refunded',
  'payment_link.completed',
  'payment_link.expired',
  'payment_link.sent',
  'payment_link.reminded',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const DELIVERY_OUTCOMES = [
  'delivered',
  'http_error',
  'timeout',
  'dns_failure',
  'connection_refused',
  'tls_failure',
  'private_address',
  'response_too_large',
  'gone',
  'secret_unreadable',
] as const
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number]

export const LINK_BULK_ACTIONS = [
  'archive',
  'unarchive',
  'pause',
  'resume',
  'add_tag',
  'remove_tag',
] as const
export type LinkBulkAction = (typeof LINK_BULK_ACTIONS)[number]

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

export const MOVEMENT_KINDS = [
  'sale',
  'fee',
  'refund',
  'dispute',
  'dispute_won',
  'surplus',
  'surplus_refund',
] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** `med`: by the payer's bank (Banco Central, Mecanismo Especial de Devolução); `card`: by its issuer. */
export const DISPUTE_KINDS = ['med', 'card'] as const
export type DisputeKind = (typeof DISPUTE_KINDS)[number]

/** From the company's side: `won` means that the company keeps the money. */
export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** Why a provider did not make a refund; `lost`: it has not known the refund for a day. */
export type RefundFailure = 'refused' | 'insufficient_balance' | 'lost'

export const RESOURCES = [
  'payment-links',
  'customers',
  'transactions',
  'events',
  'webhook-endpoints',
] as const
export type Resource = (typeof RESOURCES)[number]

/** `read` reads everything; a resource's name gives reading and writing. */
export type Scope = 'read' | Resource | `${Resource}:read`
export const SCOPES: readonly Scope[] = [
  'read',
  ...RESOURCES,
  ...RESOURCES.map((resource) => `${resource}:read` as const),
]

/** The `failure` of a mail when our own mail server was unreachable. */
export const MAIL_UNREACHABLE = 'unreachable'
