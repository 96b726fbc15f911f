/** The payment that a notification is about. It is only a hint, and each kind may be the only one known. */
export type Hint =
  | { kind: 'reference'; reference: string }
  | { kind: 'txid'; txid: string }
  | { kind: 'endToEndId'; endToEndId: string }

export type NotificationReading =
  | { kind: 'read'; hints: Hint[] }
  /** Its signature is missing or wrong. The payments that it names may still be checked earlier. */
  | { kind: 'forged'; hints: Hint[] }

export type Notification = {
  headers: Record<string, string | string[] | undefined>
  query: Record<string, string | undefined>
  /** Exactly as received. */
  body: Buffer
}

export type RegistrationOptions = {
  /** Whether the address of another system is replaced. */
  replace: boolean
}

/** `other`: an address that is not ours, or is another account of ours. */
export type NotificationTarget =
  | { kind: 'ours' }
  | { kind: 'other'; url: string }
  | { kind: 'none' }

/** `kept`: an address of another system is registered there, and was left. */
export type Registration = { kind: 'registered' } | { kind: 'kept'; url: string }
