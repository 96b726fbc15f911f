// The port: all that this program asks of a payment provider. One adapter a file beside it; what each
// can do in general stands in capabilities.ts, and accounts.ts opens the account of a company.
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
  /** Ours; the provider's idempotency key, so that asking twice charges once. */
  transactionId: string
  createdAt: string
  /** What the payer pays, interest included. */
  totalCents: number
  /** What the company asks for. */
  amountCents: number
  title: string
  /** Of the link: what is sold, by the name that the company knows it by. */
  slug: string
  merchant: { name: string; city: string }
  /** Where this provider sends its news of this account's charges. */
  notifyUrl: string
  /** `phone` in Brazilian digits, the area code first; of another country with `+` and its code. */
  payer: { name: string; email: string | null; taxId: string | null; phone: string | null }
} & (
  | { method: 'pix'; txid: string; expiresAt: string }
  | {
      method: 'credit_card'
      installments: number
      statementDescriptor?: string | null
      card: CardToken
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
  /** All that there have been of it, closed ones too. */
  disputes?: ProviderDispute[]
  /** Where the provider says so. */
  payout?: ProviderPayout
} & (PaidByPix | PaidByCard)

/** What the provider keeps of a payment, and when the company has the rest. */
export type ProviderPayout = { feeCents?: number | undefined; paidOutAt?: string | undefined }

/** Every Pix that came in, of which there may be several, also when their sum is another than ours. */
type PaidByPix = { received: ReceivedPix[] }

type PaidByCard = {
  received?: never
  /** What the payer paid, to be held against what we asked for. */
  paidCents: number
  paidAt: string
  /** As the provider said it, where `paidAt` is another instant. */
  reportedPaidAt?: string
  threeDs?: ThreeDs
  /** All that has gone back to the payer by now, whoever asked for it; what disputes took is not counted. */
  refundedCents?: number
  returns?: ProviderReturn[]
}

/** Money that has gone back, by the name that refunds bear there (`RefundOutcome.reference`). */
export type ProviderReturn = { reference: string }

/** A Pix that came in for a charge. */
export type ReceivedPix = {
  /** Or the provider's own id of it, where it tells none. */
  endToEndId: string
  amountCents: number
  paidAt: string
  /** As the provider said it, where `paidAt` is another instant. */
  reportedPaidAt?: string
  /** As the payer's bank tells. */
  payer?: { name: string | null; taxId: string | null }
  /** All that has gone back of it by now, whoever asked for it; what a dispute took is not counted. */
  refundedCents: number
  /** In which parts, where the provider names them. */
  returns?: ProviderReturn[]
}

/** A Pix that came in on an account, whatever it was for. */
export type ListedPix = ReceivedPix & {
  /** Null where the provider names no charge that it is for. */
  txid: string | null
  /** The provider's own name for that charge, where it knows it by another than our txid. */
  chargeReference?: string
  /** How often its payer has contested it. */
  disputeCount?: number
  /** Paid to another Pix key than the account's: of no charge that is not named. */
  isOfOtherKey?: boolean
}

/** What came in since `from`; `isReturned`: only what has gone back since, in part or whole. */
export type ListWindow = { from: string; isReturned?: boolean }

/**
 * Newest first. `until`: what came in after that may not be listed yet. `unreadTxids`: of charges of which something
 * came in that could not be read.
 */
export type PixListing = { pix: ListedPix[]; until: string; unreadTxids?: string[] }

/** A payment that the payer contests with a bank, as the provider tells of it. */
export type ProviderDispute = {
  /** The provider's own id of it, the same however often it is told. */
  reference: string
  kind: DisputeKind
  /** Of the Pix that it is about; null of a card. */
  endToEndId: string | null
  reason: string | null
  amountCents: number
  status: DisputeStatus
  openedAt: string
  closedAt: string | null
  /** As the provider said them, where they are other instants. */
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
}

/** What identifies a charge when we ask again. */
export type ChargeKey = {
  transactionId: string
  createdAt: string
  method: PaymentMethod
  pixTxid: string | null
  /** Null when the answer to the charge was never heard. */
  reference: string | null
  /** Of every Pix that is known to have come in for it. */
  endToEndIds: readonly string[]
  /** What was asked for, for providers that tell the price without their own interest. */
  amountCents: number
  totalCents: number
}

/** What identifies a refund when we ask again, and the charge whose money goes back. */
export type RefundKey = {
  /** Ours; the provider's idempotency key, so that asking twice gives back once. */
  refundId: string
  transactionId: string
  method: PaymentMethod
  chargeReference: string | null
  endToEndId: string | null
  /** The provider's own id of the refund, once it was heard. */
  reference: string | null
  amountCents: number
  totalCents: number
  /** Of the same money, asked for before this one: what has gone back of it, and what may. */
  earlier: readonly EarlierRefund[]
  /** What those bear there that were asked for after this one. */
  laterReferences: readonly string[]
}

/** `isFirst`: it was never sent before. What refuses it then may be a verdict; later it may only be a repetition. */
export type RefundRequest = RefundKey & { isFirst: boolean }

/** `reference` is null of one whose answer is out, and of one that is done and was made at the provider. */
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
  /** What the payer's browser needs to turn a card into a token, e.g. a public key. */
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

/** What was tried, and the readable reason why it failed. */
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
