// A provider's news of an account: what it sends, and whom, where that is registered by API.

/** What a notification points at: a hint and no more. Any of these may be all that is known. */
export type Hint =
  | { kind: 'reference'; reference: string }
  | { kind: 'txid'; txid: string }
  | { kind: 'endToEndId'; endToEndId: string }

export type NotificationReading =
  | { kind: 'read'; hints: Hint[] }
  /** Its signature is not there or not good: whoever sent it, what it names may be looked at sooner. */
  | { kind: 'forged'; hints: Hint[] }

export type Notification = {
  headers: Record<string, string | string[] | undefined>
  query: Record<string, string | undefined>
  /** Exactly as received. */
  body: Buffer
}

export type RegistrationOptions = {
  /** Whether an address of somebody else is replaced. */
  replace: boolean
}

/** `other`: somebody else's address, which may be another of ours. */
export type NotificationTarget =
  | { kind: 'ours' }
  | { kind: 'other'; url: string }
  | { kind: 'none' }

/** `kept`: another's address stands there, and was left as it is. */
export type Registration = { kind: 'registered' } | { kind: 'kept'; url: string }
