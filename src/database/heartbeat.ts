// Proves that what is notified is heard: a word over every channel, sent as changes are, and none counts
// but the last one. Nothing that was said before it can still be on its way.
import { randomUUID } from 'node:crypto'

const PREFIX = 'heartbeat '
const MAX_AGE_MS = 6_000
/** Counted rather than timed: what arrived while this process stood still is read before the next. */
const MAX_MISSED_TICKS = 2

type Beat = { payload: string; sentAt: number; unheard: Set<string>; sent: boolean; ticks: number }
type SendBeat = (channels: string[], payload: string) => Promise<unknown>

export function createHeartbeat(send: SendBeat) {
  let awaited: Beat | undefined
  let provenAt = Number.NEGATIVE_INFINITY

  return {
    /** To be called at regular times; sends the next beat unless one is still awaited. */
    async tick(channels: string[]): Promise<{ kind: 'awaited' | 'missed' }> {
      if (!awaited) await sendBeat(channels)
      else if (awaited.sent && ++awaited.ticks >= MAX_MISSED_TICKS) return { kind: 'missed' }
      return { kind: 'awaited' }
    },

    /** Whether the message was a beat, of whatever process. */
    receiveBeat(channel: string, payload: string): boolean {
      if (awaited && payload === awaited.payload && awaited.unheard.delete(channel)) {
        if (awaited.unheard.size === 0) {
          provenAt = awaited.sentAt
          awaited = undefined
        }
      }
      return payload.startsWith(PREFIX)
    },

    /** From here on nothing is proven, and no beat that is under way will prove it. */
    reset() {
      awaited = undefined
      provenAt = Number.NEGATIVE_INFINITY
    },

    isProven: () => performance.now() - provenAt < MAX_AGE_MS,
    wasEverProven: () => provenAt > 0,
  }

  async function sendBeat(channels: string[]) {
    const payload = `${PREFIX}${randomUUID()}`
    const unheard = new Set(channels)
    const beat = { payload, sentAt: performance.now(), unheard, sent: false, ticks: 0 }
    awaited = beat
    try {
      await send(channels, payload)
      beat.sent = true
    } catch (error) {
      if (awaited === beat) awaited = undefined
      throw error
    }
  }
}
