// Corrects the clock of a bank that is whole hours off, because the bank writes its local time as UTC or the reverse. A
// charge of ours shows the offset, since we know when it was made.
import { HOUR_MS, MINUTE_MS } from '../../database/instant.ts'
import type { BankClient } from './client.ts'
import type { Cob } from './responses.ts'

/** No time zone explains a larger offset. */
const MAX_OFFSET_HOURS = 14
const TOLERANCE_MS = 5 * MINUTE_MS

/** Reads how many hours the bank is ahead. A known offset stays as long as the charge does not contradict it. */
export function readClockOffset(
  { clock }: Pick<BankClient, 'clock'>,
  { calendario }: Cob,
  { createdAt, now }: { createdAt: string; now: Date },
): number {
  if (!calendario.criacao) return clock.offsetHours
  const saidMs = Date.parse(calendario.criacao)
  const from = Date.parse(createdAt) - TOLERANCE_MS
  const until = now.getTime() + TOLERANCE_MS
  const isPossible = (hours: number) => {
    const madeMs = saidMs - hours * HOUR_MS
    return madeMs >= from && madeMs <= until
  }
  const nearest = Array.from({ length: MAX_OFFSET_HOURS }, (_, i) => [-i - 1, i + 1]).flat()
  return [clock.offsetHours, 0, ...nearest].find(isPossible) ?? 0
}

export function correctInstant(instant: string, offsetMs: number) {
  return new Date(Date.parse(instant) - offsetMs).toISOString()
}
