// By when a company answers a dispute: as its provider says or, of a MED, within the days that the bank has to judge it.
import { addDelay, DAY_MS, isPast } from '../../database/instant.ts'
import { toDay } from '../../reports/days.ts'
import type { DisputeRow } from './schema.ts'

type Answerable = Pick<DisputeRow, 'status' | 'kind' | 'respondBy' | 'openedAt'>

/** `isDay`: the deadline is the end of the day. */
type DisputeDeadline = { at: string; isDay: boolean }

/** The days that a bank has to judge a MED. */
const MED_DAYS = 7

/** Null for a dispute that has ended, and where only the provider knows the deadline. */
export function findDeadline(dispute: Answerable): DisputeDeadline | null {
  const { status, kind, respondBy, openedAt } = dispute
  if (status !== 'open') return null
  if (respondBy) return { at: respondBy, isDay: false }
  return kind === 'med'
    ? { at: addDelay(new Date(openedAt), MED_DAYS * DAY_MS), isDay: true }
    : null
}

/** The earliest deadline that is not over; when all are over, the earliest. */
export function findNextDeadline(disputes: readonly Answerable[], now: Date) {
  const deadlines = disputes
    .flatMap((dispute) => findDeadline(dispute) ?? [])
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
  return deadlines.find((deadline) => !isDeadlineOver(deadline, now)) ?? deadlines[0]
}

export function isDeadlineOver({ at, isDay }: DisputeDeadline, now: Date) {
  return isDay ? toDay(at) < toDay(now) : isPast(at, now)
}
