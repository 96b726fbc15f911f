// Types of a provider's notifications and their registration.

/** The payment that a notification is about: only a hint. Each kind may be the only one known. */
export type Hint =
  | { kind: 'reference'; reference: string }
  | { kind: 'txid'; txid: string }
  | { kind: 'endToEndId'; endToEndId: string }

export type NotificationReading =
  | { kind: 'read'; hints: Hint[] }
  /** Its signature is missing or wrong. The payments that it names may still be checked sooner. */
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
