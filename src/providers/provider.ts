// The interface of a payment provider for this program. Each adapter has a room beside this file; profile.ts says
// what each can do, and open-accounts.ts opens a company's account.
import type {
  DeclineCode,
  DisputeKind,
  DisputeStatus,
  PaymentMethod,
  ProviderName,
  RefundFailure,
} from '../database/enums.ts'
import type { Institution } from '../database/tables.ts'
import type {
  Notification,
  NotificationReading,
  NotificationTarget,
  Registration,
  RegistrationOptions,
} from './notification.ts'
import type { ListWindow, PixListing, ProviderReturn, ReceivedPix } from './received.ts'

export type Charge = {
  /** Our id, sent as the provider's idempotency key, so that a repeated request charges once. */
  transactionId: string
  createdAt: string
  /** What the payer pays: the price with a card's interest, or less a Pix's discount. */
  totalCents: number
  /** The same without a card's interest, which some providers add themselves. */
  amountCents: number
  title: string
  slug: string
  merchant: { name: string; city: string }
  /**
   * `taxId`: a CPF or CNPJ; a foreign document, of a card alone and where the profile allows it, begins with `+`. `phone`:
   * Brazilian digits with area code; a foreign one begins with `+` and the country code.
   */
  payer: { name: string; email: string | null; taxId: string | null; phone: string | null }
} & (
  | { method: 'pix'; txid: string; expiresAt: string }
  | {
      method: 'credit_card'
      installments: number
      statementDescriptor?: string | null
      /** Null where the payer enters the card at the provider's own page. */
      card: CardToken | null
      /** The payment's page, where the payer comes back to from the provider's page. */
      returnUrl: string
    }
)

export type CardCharge = Charge & { method: 'credit_card' }

const MAX_STATEMENT_LENGTH = 22

/** The text of the card's statement; statements allow no accents. */
export function getStatementText({ statementDescriptor, merchant }: CardCharge) {
  const name = merchant.name.normalize('NFD').replace(/[^\x20-\x7e]/g, '')
  return statementDescriptor ?? name.slice(0, MAX_STATEMENT_LENGTH)
}

/** A card as the payer's browser sends it: never its number. */
export type CardToken = {
  token: string
  brand: string
  /** Null when the provider's own fields do not tell it. */
  last4: string | null
  /** The id of the payer's device by the provider's own script, if there is one. */
  deviceId?: string | null
  /** The browser's data for 3-D Secure, unless the provider's own script sends it. */
  threeDs?: CardAuthentication | null
  /** Used for this charge and not kept. */
  billingAddress?: BillingAddress | null
}

/** A card that was entered at the provider's own page. */
export type EnteredCard = { brand: string; last4: string; holder: string | null }

/** How long a payer may pay at a provider's own page. */
export const PROVIDER_PAGE_MINUTES = 30

/** The id of the setup at the provider, and the payer's browser as 3-D Secure describes one. */
export type CardAuthentication = {
  setupId: string
  ip: string
  userAgent: string
  language: string
  colorDepth: number
  screenHeight: number
  screenWidth: number
  /** In minutes, with the sign that browsers use: 180 in Brasília. */
  timeZoneOffset: number
}

/** The address that the card's bank knows; `zipCode` in digits, `state` as UF. */
export type BillingAddress = {
  zipCode: string
  street: string
  number: string
  city: string
  state: string
}

/** A begun 3-D Secure: the browser posts `token` to the address, which reads the device for the bank. */
export type CardSetup = { setupId: string; collection: { url: string; token: string } | null }

/** Whether a card is approved only when its bank bears fraud, or also without that. */
export const LIABILITY_SHIFTS = ['required', 'preferred'] as const
export type LiabilityShift = (typeof LIABILITY_SHIFTS)[number]

export type ThreeDs = {
  status: 'authenticated' | 'failed' | 'attempted'
  eci: string | null
  flow: 'frictionless' | 'challenge'
}

/** The provider's answer about a charge. `unknown`: it knows none, so nothing was or will be charged. */
export type ChargeOutcome =
  | {
      status: 'pending'
      reference: string
      pixBrCode: string
      expiresAt: string
      /** How far the provider's clock is off, if that has changed. */
      clockOffsetHours?: number
    }
  | {
      status: 'awaiting_authentication'
      reference: string
      challengeUrl: string
      expiresAt: string
    }
  /** The payer may pay at the provider's own page until then, also after a declined card. */
  | { status: 'awaiting_payer'; reference: string; pageUrl: string; expiresAt: string }
  | { status: 'processing'; reference: string; isPayerDone?: true }
  | Approval
  | Decline
  /** Canceled at the provider, unpaid. */
  | { status: 'canceled'; reference: string }
  /** Paid, but the amount cannot be read: because of this field, or because it is not shown (null). */
  | { status: 'unreadable'; reference: string; field: string | null }
  | { status: 'unknown' }

export type Approval = {
  status: 'approved'
  reference: string
  /** All disputes so far, closed ones too. */
  disputes?: ProviderDispute[]
  /** Whether no dispute stands, if the provider tells it: what was lost before is then won after all. */
  isUndisputed?: boolean
  /** If the provider gives it. */
  payout?: ProviderPayout
} & (PaidByPix | PaidByCard)

export type CardApproval = Exclude<Approval, PaidByPix>

/** The provider's fee for a payment, and the day of its payout. */
export type ProviderPayout = { feeCents?: number | undefined; paidOutAt?: string | undefined }

/** Every Pix received for the charge, also several, and also when the sum differs from ours. */
type PaidByPix = { received: ReceivedPix[] }

type PaidByCard = {
  received?: never
  /**
   * Every paid charge, if the payer paid more than one, with the provider's id of each as its `endToEndId`. All else is
   * then about the charge that pays the sale.
   */
  charges?: ReceivedPix[]
  /** The amount that the payer paid, to compare with the charge. */
  paidCents: number
  paidAt: string
  /** The provider's own value, if `paidAt` differs. */
  reportedPaidAt?: string
  threeDs?: ThreeDs
  /** The card, if it was entered at the provider's own page. */
  card?: EnteredCard
  /** The sum of all refunds so far, also those made at the provider; money taken by disputes does not count. */
  refundedCents?: number
  returns?: ProviderReturn[]
}

/** A payment that the payer disputes, as the provider reports it. */
export type ProviderDispute = {
  /** The provider's id of the dispute, which never changes. */
  reference: string
  kind: DisputeKind
  /** The disputed Pix, or the charge of a card; null when the provider does not name it. */
  endToEndId: string | null
  reason: string | null
  amountCents: number
  status: DisputeStatus
  openedAt: string
  closedAt: string | null
  /** The provider's own instants, if they differ from ours. */
  reportedOpenedAt?: string
  reportedClosedAt?: string
  /** The deadline for evidence. */
  respondBy: string | null
}

export type Decline = {
  status: 'declined'
  reference: string | null
  declineCode: DeclineCode
  /** ABECS Normativo 21, if there is one. */
  abecsCode: string | null
  /** Whether the same card may be tried again. */
  retryable: boolean
  threeDs?: ThreeDs
  /** The card, if it was entered at the provider's own page. */
  card?: EnteredCard
}

/** Identifies a charge when the provider is asked again. */
export type ChargeKey = {
  transactionId: string
  createdAt: string
  method: PaymentMethod
  pixTxid: string | null
  /** Null when the answer to the charge never arrived. */
  reference: string | null
  /** The end-to-end ids of all Pix known to have paid it. */
  endToEndIds: readonly string[]
  /** The price without the provider's own interest, for providers that report it so. */
  amountCents: number
  totalCents: number
}

/** Identifies a refund and its charge when the provider is asked again. */
export type RefundKey = {
  /** Our id, sent as the provider's idempotency key, so that a repeated request refunds once. */
  refundId: string
  /** Null for money that came in for no charge. */
  transactionId: string | null
  method: PaymentMethod
  chargeReference: string | null
  /** The Pix to refund, or the charge of a card that was paid more than once. */
  endToEndId: string | null
  /** The provider's id of the refund, once it is known. */
  reference: string | null
  amountCents: number
  totalCents: number
  /** Earlier refunds of the same money, finished or not. */
  earlier: readonly EarlierRefund[]
  /** The provider's ids of later refunds. */
  laterReferences: readonly string[]
}

/**
 * `isFirst`: the refund was never sent before. A refusal is then final; later it may only mean that the request is a
 * repetition.
 */
export type RefundRequest = RefundKey & { isFirst: boolean }

/**
 * `reference` is null while the provider's answer is awaited, and for a finished refund that was made at the provider.
 */
export type EarlierRefund = { reference: string | null; amountCents: number; isDone: boolean }

/**
 * The provider's answer about a refund. `processing`: accepted. `unconfirmed`: the call was refused for another reason
 * than the refund itself, which may have been made. `unknown`: it shows no such refund.
 */
export type RefundOutcome =
  | { status: 'processing' | 'unconfirmed'; reference: string }
  | RefundVerdict
  | { status: 'unknown' }

/** Without a reference, the request itself was refused. `at`: when the money left, if the provider says it. */
export type RefundVerdict =
  | { status: 'succeeded'; reference: string; at?: string | undefined }
  | { status: 'failed'; reason: RefundFailure; reference?: string }

/** One way to pay in installments at the provider's own prices; totals include its interest. */
export type ProviderQuote = { installments: number; installmentCents: number; totalCents: number }

/** The provider did not process the call: nothing was charged, and a later try may succeed. */
export class ProviderDown extends Error {
  override readonly name = 'ProviderDown'
  /** Until then the provider wants no further calls. */
  readonly retryAt: Date | undefined

  constructor(message: string, { retryAt, ...options }: ErrorOptions & { retryAt?: Date } = {}) {
    super(message, options)
    this.retryAt = retryAt
  }
}

/** `keepsPaid`: money paid meanwhile is not refunded, and is found by asking. */
export type CancelOptions = { keepsPaid?: boolean }

/** Whether a payer waits for the answer. */
export type Lane = 'payer' | 'background'

/** A company's open account at a provider. */
export type Provider = {
  readonly name: ProviderName
  /** Whether payments are simulated or only tests. */
  readonly testMode: boolean
  /** The institution that receives the account's Pix; absent where it is unknown, or the account takes none. */
  readonly institution?: Institution | undefined
  /** The data with which the payer's browser turns a card into a token, e.g. a public key. */
  readonly cardFields?: { publicKey: string }

  /** Makes a key of a few minutes for the payer's browser to turn one card into a token. Only if it needs one. */
  openCardFields?(): Promise<{ key: string; isTest: boolean }>

  /** Begins 3-D Secure for a card. Only if the provider's own script does not. */
  setUpCard?(token: string): Promise<CardSetup>

  /** Throws ProviderDown, or any other error when the outcome is unknown and `find` must tell it. */
  charge(charge: Charge, now: Date): Promise<ChargeOutcome>

  /** Reads the charge's current state. The default lane is that of a waiting payer. */
  find(key: ChargeKey, now: Date, lane?: Lane): Promise<ChargeOutcome>

  /** Lists all Pix received, for any charge, or all charges that changed. Only for providers with such a list. */
  list?(window: ListWindow, now: Date): Promise<PixListing>

  /** Cancels a charge. If it is already approved, it is voided, unless its money should stay. */
  cancel(key: ChargeKey, now: Date, options?: CancelOptions): Promise<void>

  /** Refunds money. Throws when the outcome is unknown and `findRefund` must tell it. */
  refund(request: RefundRequest, now: Date): Promise<RefundOutcome>

  findRefund(key: RefundKey, now: Date): Promise<RefundOutcome>

  readNotification(notification: Notification): NotificationReading | Promise<NotificationReading>

  /** The ways to pay in installments with cards of these first digits. Only for providers that quote. */
  quotes?(card: { bin: string; amountCents: number }): Promise<ProviderQuote[]>

  /** Gets a real token and makes a real read; reasons are in words for the company's people. Never throws. */
  testConnection(now: Date): Promise<ConnectionStep[]>

  /** Registers our notification address, for providers with an API for it. */
  registerNotifications?(notifyUrl: string, options?: RegistrationOptions): Promise<Registration>

  /** Reads the registered notification address. Only for providers where another system may replace ours. */
  findRegistration?(notifyUrl: string): Promise<NotificationTarget>

  /** Closes its connections, after the running calls. */
  close?(): Promise<void>
}

/** Opens a company's account at a provider. Throws ProviderDown without one. */
export type Providers = {
  open(companyId: string, name: ProviderName): Promise<Provider>
}

/** A tested step of "Testar conexão", with a readable reason if it failed. */
export type ConnectionStep = {
  /**
   * `webhook`: the registration may be read; `register`: our address was registered; `payments`: the account knows the
   * payments in progress; `clock`: the provider's clock is right.
   */
  step: 'token' | 'read' | 'webhook' | 'register' | 'payments' | 'clock'
} & (
  | { ok: true; reason?: undefined }
  | { ok: false; reason: string /** Payments work without it. */; isOptional?: boolean }
)
