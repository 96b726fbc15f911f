// The port: the operations that this program needs of a payment provider. Each adapter has a room beside it;
// capabilities.ts says what each can do, and open-accounts.ts opens the account of a company.
import type {
  DeclineCode,
  DisputeKind,
  DisputeStatus,
  PaymentMethod,
  ProviderName,
  RefundFailure,
} from '../database/enums.ts'
import type {
  Notification,
  NotificationReading,
  NotificationTarget,
  Registration,
  RegistrationOptions,
} from './notification.ts'

export type Charge = {
  /** Our id, sent as the provider's idempotency key, so that a repeated request charges once. */
  transactionId: string
  createdAt: string
  /** The payer's total, interest included. */
  totalCents: number
  /** The company's price. */
  amountCents: number
  title: string
  /** The link's slug. */
  slug: string
  merchant: { name: string; city: string }
  /** The address for this provider's notifications about the account's charges. */
  notifyUrl: string
  /** `phone` in Brazilian digits, the area code first; of another country with `+` and its code. */
  payer: { name: string; email: string | null; taxId: string | null; phone: string | null }
} & (
  | { method: 'pix'; txid: string; expiresAt: string }
  | {
      method: 'credit_card'
      installments: number
      statementDescriptor?: string | null
      /** Null where the payer enters the card at the provider's own page. */
      card: CardToken | null
      /** The payment's page, where the payer comes back to from that one. */
      returnUrl: string
    }
)

/** A card as the payer's browser hands it over: never its number. */
export type CardToken = {
  token: string
  brand: string
  last4: string
  /** What the provider's own script calls the payer's device, where it came to call it anything. */
  deviceId?: string | null
}

/** A card that was entered at the provider's own page, as the provider tells of it. */
export type EnteredCard = { brand: string; last4: string; holder: string | null }

/** For so long a payer may pay at a provider's own page. */
export const PROVIDER_PAGE_MINUTES = 30

export type ThreeDs = {
  status: 'authenticated' | 'failed' | 'attempted'
  eci: string | null
  flow: 'frictionless' | 'challenge'
}

/** The provider's word on a charge. `unknown`: it knows of none, so nothing was or will be charged. */
export type ChargeOutcome =
  | {
      status: 'pending'
      reference: string
      pixBrCode: string
      expiresAt: string
      /** How far the provider's clock is off, where that is news. */
      clockOffsetHours?: number
    }
  | {
      status: 'awaiting_authentication'
      reference: string
      challengeUrl: string
      expiresAt: string
    }
  /** The payer may pay at the provider's own page until then; whatever was refused there, another try is open. */
  | { status: 'awaiting_payer'; reference: string; pageUrl: string; expiresAt: string }
  | { status: 'processing'; reference: string; isPayerDone?: true }
  | Approval
  | Decline
  /** Given up at the provider, unpaid. */
  | { status: 'canceled'; reference: string }
  /** Paid, and what came in can't be read: because of this field, or because it is not shown (null). */
  | { status: 'unreadable'; reference: string; field: string | null }
  | { status: 'unknown' }

export type Approval = {
  status: 'approved'
  reference: string
  /** All disputes of it so far, closed ones too. */
  disputes?: ProviderDispute[]
  /** Where the provider says so. */
  payout?: ProviderPayout
} & (PaidByPix | PaidByCard)

/** The provider's fee for a payment, and the day of its payout. */
export type ProviderPayout = { feeCents?: number | undefined; paidOutAt?: string | undefined }

/** Every Pix that came in, of which there may be several, also when their sum is another than ours. */
type PaidByPix = { received: ReceivedPix[] }

type PaidByCard = {
  received?: never
  /** The amount that the payer paid, to compare with the charge. */
  paidCents: number
  paidAt: string
  /** As the provider said it, where `paidAt` is another instant. */
  reportedPaidAt?: string
  threeDs?: ThreeDs
  /** Where it was entered at the provider's own page. */
  card?: EnteredCard
  /**
   * All that was refunded to the payer so far, also at the provider itself; money taken by disputes is not counted.
   */
  refundedCents?: number
  returns?: ProviderReturn[]
}

/** A part that was refunded, by the provider's name for it (`RefundOutcome.reference`). */
export type ProviderReturn = { reference: string }

/** A Pix that came in for a charge. */
export type ReceivedPix = {
  /** The provider's own id of the Pix where the provider tells no end-to-end id. */
  endToEndId: string
  amountCents: number
  paidAt: string
  /** As the provider said it, where `paidAt` is another instant. */
  reportedPaidAt?: string
  /** As told by the payer's bank. */
  payer?: { name: string | null; taxId: string | null }
  /**
   * All that was refunded of this Pix so far, also at the provider itself; money taken by a dispute is not counted.
   */
  refundedCents: number
  /** The single refunds, where the provider names them. */
  returns?: ProviderReturn[]
}

/** A Pix that came in on an account, whatever it was for. */
export type ListedPix = ReceivedPix & {
  /** Null when the provider names no charge for it. */
  txid: string | null
  /** The provider's own id of that charge, where the provider does not use our txid. */
  chargeReference?: string
  /** How often the payer has contested it. */
  disputeCount?: number
  /** Paid to another Pix key than the account's: without a named charge it belongs to none of ours. */
  isOfOtherKey?: boolean
}

/** Pix received since `from`; with `isReturned`, only Pix refunded since, in part or whole. */
export type ListWindow = { from: string; isReturned?: boolean }

/**
 * Newest first. Pix received after `until` may not be listed yet. `unreadTxids`: charges with a Pix that could not
 * be read.
 */
export type PixListing = { pix: ListedPix[]; until: string; unreadTxids?: string[] }

/** A payment that the payer contests with a bank, as told by the provider. */
export type ProviderDispute = {
  /** The provider's id of the dispute, which never changes. */
  reference: string
  kind: DisputeKind
  /** The Pix that is contested; null for a card. */
  endToEndId: string | null
  reason: string | null
  amountCents: number
  status: DisputeStatus
  openedAt: string
  closedAt: string | null
  /** The instants that the provider told, where they differ from ours. */
  reportedOpenedAt?: string
  reportedClosedAt?: string
  /** Until when evidence may be sent. */
  respondBy: string | null
}

export type Decline = {
  status: 'declined'
  reference: string | null
  declineCode: DeclineCode
  /** ABECS Normativo 21, where there is one. */
  abecsCode: string | null
  /** Whether the same card may be tried again. */
  retryable: boolean
  threeDs?: ThreeDs
  /** Where it was entered at the provider's own page. */
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
  /** Of every Pix that is known to have paid it. */
  endToEndIds: readonly string[]
  /** The price without the provider's own interest, for providers that tell it so. */
  amountCents: number
  totalCents: number
}

/** Identifies a refund, and the charge that it refunds, when the provider is asked again. */
export type RefundKey = {
  /** Our id, sent as the provider's idempotency key, so that a repeated request refunds once. */
  refundId: string
  transactionId: string
  method: PaymentMethod
  chargeReference: string | null
  endToEndId: string | null
  /** The provider's id of the refund, once it is known. */
  reference: string | null
  amountCents: number
  totalCents: number
  /** Earlier refunds of the same money, finished or not. */
  earlier: readonly EarlierRefund[]
  /** The provider's ids of the refunds that were asked for after this one. */
  laterReferences: readonly string[]
}

/**
 * `isFirst`: the refund was never sent before. A refusal is then a verdict; later it may only mean that the request
 * is a repetition.
 */
export type RefundRequest = RefundKey & { isFirst: boolean }

/**
 * `reference` is null while the provider's answer is awaited, and for a finished refund that was made at the
 * provider.
 */
export type EarlierRefund = { reference: string | null; amountCents: number; isDone: boolean }

/**
 * The provider's word on a refund. `processing`: it has taken it. `unconfirmed`: it refused the call in words that
 * say nothing of the refund itself, which may be on its way. `unknown`: it shows none.
 */
export type RefundOutcome =
  | { status: 'processing' | 'unconfirmed'; reference: string }
  | RefundVerdict
  | { status: 'unknown' }

/** Without a reference it is the sending that was refused. */
export type RefundVerdict =
  | { status: 'succeeded'; reference: string }
  | { status: 'failed'; reason: RefundFailure; reference?: string }

/** One way to pay in installments on the provider's own terms; totals include its interest. */
export type ProviderQuote = { installments: number; installmentCents: number; totalCents: number }

/** The provider would not work on a charge: nothing was charged, and asking again may go better. */
export class ProviderDown extends Error {
  override readonly name = 'ProviderDown'
  /** Until then it asks not to be called again. */
  readonly retryAt: Date | undefined

  constructor(message: string, { retryAt, ...options }: ErrorOptions & { retryAt?: Date } = {}) {
    super(message, options)
    this.retryAt = retryAt
  }
}

/** `keepsPaid`: what was paid meanwhile is left as it is, and found by asking. */
export type CancelOptions = { keepsPaid?: boolean }

/** Whether a payer waits for an answer, or nobody does. */
export type Lane = 'payer' | 'background'

/** A company's account at a provider, opened. */
export type Provider = {
  readonly name: ProviderName
  /** Whether payments are simulated or only tests. */
  readonly testMode: boolean
  /** The data with which the payer's browser turns a card into a token, e.g. a public key. */
  readonly cardFields?: { publicKey: string }

  /** Throws ProviderDown, or anything else when the outcome is not known: `find` must tell it then. */
  charge(charge: Charge, now: Date): Promise<ChargeOutcome>

  /** The charge as it stands: for notifications, and for those that never came. A payer waits unless told. */
  find(key: ChargeKey, now: Date, lane?: Lane): Promise<ChargeOutcome>

  /** All that came in by Pix. Only where a provider lists what it received, whatever charge it was for. */
  list?(window: ListWindow, now: Date): Promise<PixListing>

  /** Gives up a charge that nobody wants any more; one already approved is voided, unless its money is to stay. */
  cancel(key: ChargeKey, now: Date, options?: CancelOptions): Promise<void>

  /** Gives money back. Throws when the outcome is not known: `findRefund` must tell it then. */
  refund(request: RefundRequest, now: Date): Promise<RefundOutcome>

  findRefund(key: RefundKey, now: Date): Promise<RefundOutcome>

  readNotification(notification: Notification): NotificationReading

  /** The ways to pay in installments with cards of these first digits. Only where the provider quotes. */
  quotes?(card: { bin: string; amountCents: number }): Promise<ProviderQuote[]>

  /** A real token and a real read; in words the company's people understand. Never throws. */
  testConnection(now: Date): Promise<ConnectionStep[]>

  /** Tells the provider where to send its news, where that is done by API. */
  registerNotifications?(notifyUrl: string, options?: RegistrationOptions): Promise<Registration>

  /** Whom it sends its news to by now. Only where somebody else may be told in our place. */
  findRegistration?(notifyUrl: string): Promise<NotificationTarget>

  /** Lets go of its connections, after the calls under way. */
  close?(): Promise<void>
}

/** The provider as a company uses it. */
export type ProviderAccount = Provider & {
  /** Where the provider sends its news of this account's charges. */
  readonly notifyUrl: string
}

/** Opens the account that a company has at a provider. Throws ProviderDown when it has none. */
export type Providers = {
  open(companyId: string, name: ProviderName): Promise<ProviderAccount>
}

// "Testar conexão" goes step by step; this is one of them.

/** A tested step, and a readable reason when it failed. */
export type ConnectionStep = {
  /**
   * `webhook`: what is registered may be read; `register`: our address was registered; `payments`: the
   * account knows those that are under way; `clock`: the provider's is right.
   */
  step: 'token' | 'read' | 'webhook' | 'register' | 'payments' | 'clock'
} & (
  | { ok: true; reason?: undefined }
  | { ok: false; reason: string /** Payments are taken without it, too. */; isOptional?: boolean }
)
