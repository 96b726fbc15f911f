// "Testar conexão": tests the connection to a provider step by step with real calls, and stores the result.
import { type ConnectionStep, type Provider, ProviderDown } from './provider.ts'
import { findRefusal } from './refusal.ts'
import { providerAccountTexts } from './texts.ts'

const MAX_FAILURE_LENGTH = 500

/** `more` is tried when the connection works. */
export async function runConnectionTest(
  open: () => Provider,
  now: Date,
  more?: (account: Provider) => Promise<ConnectionStep[]>,
): Promise<ConnectionStep[]> {
  let account: Provider
  try {
    account = open()
  } catch {
    return [{ step: 'token', ok: false, reason: providerAccountTexts.unreadable }]
  }
  try {
    const steps = await account.testConnection(now)
    const others = more && !hasFailedStep(steps) ? await more(account) : []
    return [...steps, ...others]
  } finally {
    await account.close?.()
  }
}

/** The step succeeds unless its work returns a reason, or throws an error that `describe` explains. */
export async function runConnectionStep(
  step: ConnectionStep['step'],
  work: () => Promise<unknown>,
  describe: (error: unknown, step: ConnectionStep['step']) => string,
): Promise<ConnectionStep> {
  const reason = await work().catch((error) => describe(error, step))
  return typeof reason === 'string' ? { step, ok: false, reason } : { step, ok: true }
}

type FailureWords = Record<
  'keyRefused' | 'keyForbidden' | 'tooMany' | 'unreachable' | 'noAnswer',
  string
> & { said?: (reason: string, detail: string) => string }

/** Explains an error of a provider's client (refusal.ts). */
export function explainFailure(words: FailureWords) {
  return function describeFailure(error: unknown) {
    const { keyRefused, keyForbidden, tooMany, unreachable, noAnswer, said } = words
    const refusal = findRefusal(error)
    if (!refusal) return error instanceof ProviderDown ? unreachable : noAnswer
    const { status, detail } = refusal
    const reason = { 401: keyRefused, 403: keyForbidden, 429: tooMany }[status] ?? noAnswer
    return said && detail ? said(reason, detail) : reason
  }
}

/** Whether a step failed that payments need. */
export function hasFailedStep(steps: ConnectionStep[]) {
  return steps.some(isFailedStep)
}

/** The result of the connection itself; unknown payments of another account do not count. */
export function toTestResult(steps: ConnectionStep[], now: Date) {
  const failed = steps.filter(({ step }) => step !== 'payments').find(isFailedStep)
  const testFailure = failed ? failed.reason.slice(0, MAX_FAILURE_LENGTH) : null
  return { testedAt: now.toISOString(), testFailure }
}

/** `byHand`: the provider has no API for it. */
export type RegisterResult =
  | { kind: 'registered' | 'byHand' | 'noAccount' }
  | { kind: 'failed'; reason: string }
  /** Another address is registered there, and was left. */
  | { kind: 'kept'; url: string }

/** Whether payments are in progress that the account does not know. */
export function isOtherAccount(steps: ConnectionStep[]) {
  return steps.some((step) => step.step === 'payments' && isFailedStep(step))
}

export function toRegisterSteps(registered: RegisterResult): ConnectionStep[] {
  switch (registered.kind) {
    case 'registered':
      return [{ step: 'register', ok: true }]
    case 'failed':
      return [{ step: 'register', ok: false, isOptional: true, reason: registered.reason }]
    case 'kept':
      return [
        {
          step: 'register',
          ok: false,
          isOptional: true,
          reason: providerAccountTexts.keptAddress(registered.url),
        },
      ]
    case 'byHand':
    case 'noAccount':
      return []
  }
}

function isFailedStep(step: ConnectionStep): step is Extract<ConnectionStep, { ok: false }> {
  return !step.ok && !step.isOptional
}
