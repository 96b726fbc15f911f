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
