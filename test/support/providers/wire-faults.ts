// What can happen to a call on its way to a fake that speaks HTTP, and to its answer on the way back.
import type { ServerResponse } from 'node:http'
import type { FaultyNetwork } from './harness.ts'

/** What happens to the next call that `on` matches, e.g. `/^PUT .cob/`. */
export type WireFault = {
  on: RegExp
  /** Whether the fake does what it was asked before it fails. */
  works?: boolean
  /** How often; once when absent. */
  times?: number
} & (
  | { does: 'answer'; status: number; body?: string; headers?: Record<string, string> }
  | { does: 'hang' | 'reset' | 'flood' }
  /** Answers as it would, but not before. */
  | { does: 'wait'; until: Promise<void> }
  /** Answers this instead of what it would. */
  | { does: 'say'; change: (said: Record<string, unknown>) => void }
)

/** Out of those that are to come. */
export function takeFault(faults: WireFault[], call: string) {
  const index = faults.findIndex(({ on }) => on.test(call))
  const fault = faults[index]
  if (!fault) return undefined
  fault.times = (fault.times ?? 1) - 1
  if (fault.times < 1) faults.splice(index, 1)
  return fault
}

/** Whether the fake does what it was asked. */
export function isWorking(fault: WireFault | undefined) {
  return !fault || fault.works || fault.does === 'say' || fault.does === 'wait'
}

/** Whether there is no more to answer. */
export function breakResponse(response: ServerResponse, fault: WireFault | undefined): boolean {
  switch (fault?.does) {
    case 'hang':
      return true
    case 'reset':
      response.socket?.resetAndDestroy()
      return true
    case 'flood':
      response.writeHead(200).end('x'.repeat(300 * 1024))
      return true
    case 'answer':
      response
        .writeHead(fault.status, { 'content-type': 'text/html', ...fault.headers })
        .end(fault.body ?? '<h1>Erro</h1>')
      return true
    default:
      return false
  }
}

/**
 * The way to such a fake, as the cases of all providers break it.
 * @param on the calls that charge and refund
 * @param setAmount makes an answer tell of this amount
 */
export function buildFaultyNetwork(
  fake: { next(fault: WireFault): void },
  on: RegExp,
  setAmount: (said: Record<string, unknown>, cents: number) => void,
): FaultyNetwork {
  const worked = { on, works: true }
  return {
    makeSlow: () => fake.next({ ...worked, does: 'hang' }),
    failNext: (status) => fake.next({ on, does: 'answer', status }),
    failAfter: (status) => fake.next({ ...worked, does: 'answer', status }),
    answerGarbage: () => fake.next({ ...worked, does: 'answer', status: 200 }),
    breakOff: () => fake.next({ ...worked, does: 'reset' }),
    changeAmount: (cents) =>
      fake.next({ on, does: 'say', change: (said) => setAmount(said, cents) }),
  }
}
