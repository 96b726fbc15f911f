// The port: all that this program asks of a payment provider. One adapter a file beside it.
import type { DeclineCode, Method, ProviderName, RefundFailure } from '../database/words.ts'

export type Charge = {
  /** Ours; the provider's idempotency key, so that asking twice charges once. */
  transactionId: string
  totalCents: number
  merchant: { name: string; city: string }
} & (
  | { method: 'pix'; txid: string; expiresAt: string }
  | { method: 'credit_card'; installments: number; card: CardToken }
)

/** A card as the payer's browser hands it over: never its number. */
export type CardToken = { token: string; brand: string; last4: string }

export type ThreeDs = {
  status: 'authenticated' | 'failed' | 'attempted'
  eci: string | null
  flow: 'frictionless' | 'challenge'
}

/** The provider's word on a charge. `unknown`: it knows of none, so nothing was or will be charged. */
export type Outcome =
  | { status: 'pending'; reference: string; pixBrCode: string; expiresAt: string }
  | {
      status: 'awaiting_authentication'
      reference: string
      challengeUrl: string
      expiresAt: string
    }
  | { status: 'processing'; reference: string }
  | Approval
  | Refusal
  | { status: 'unknown' }

export type Approval = {
  status: 'approved'
  reference: string
  /** What the payer paid, to be held against what we asked for. */
  paidCents: number
  paidAt: string
  endToEndId?: string
  threeDs?: ThreeDs
}

export type Refusal = {
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
export type ChargeKey = { transactionId: string; method: Method; pixTxid: string | null }

/** What identifies a refund when we ask again, and the charge whose money goes back. */
export type RefundKey = {
  /** Ours; the provider's idempotency key, so that asking twice gives back once. */
  refundId: string
  transactionId: string
  method: Method
  chargeReference: string | null
  endToEndId: string | null
}

export type RefundRequest = RefundKey & { amountCents: number }

/** The provider's word on a refund. `unknown`: it knows of none, so that asking for it is safe. */
export type RefundOutcome =
  | { status: 'processing'; reference: string }
  | RefundVerdict
  | { status: 'unknown' }

export type RefundVerdict =
  | { status: 'succeeded'; reference: string }
  | { status: 'failed'; reason: RefundFailure }

/** The provider would not work on a charge: nothing was charged, and asking again may go better. */
export class ProviderDown extends Error {
  override readonly name = 'ProviderDown'
}

export type Provider = {
  readonly name: ProviderName
  readonly capabilities: {
    methods: readonly Method[]
    /** How the payer's browser turns a card into a token. */
    cardEntry: 'sandbox'
    /** Whether payments are simulated. */
    testMode: boolean
  }

  /** Throws ProviderDown, or anything else when the outcome is not known: `find` must tell it then. */
  charge(charge: Charge, now: Date): Promise<Outcome>

  /** The charge as it stands: for notifications, and for those that never came. */
  find(key: ChargeKey, now: Date): Promise<Outcome>

  /** Gives up a charge that nobody wants any more; one already approved is voided. */
  cancel(key: ChargeKey, now: Date): Promise<void>

  /** Gives money back. Throws when the outcome is not known: `findRefund` must tell it then. */
  refund(request: RefundRequest, now: Date): Promise<RefundOutcome>

  findRefund(key: RefundKey, now: Date): Promise<RefundOutcome>
}

export type Providers = Record<ProviderName, Provider>
