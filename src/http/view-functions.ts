// The functions that every view has besides its model: formats, and the markup of an instant and of a state.
import {
  countOf,
  formatAnswer,
  formatBrl,
  formatCalendarDay,
  formatCard,
  formatCount,
  formatDay,
  formatDuration,
  formatFullInstant,
  formatFullTime,
  formatInstant,
  formatKnownBrl,
  formatNearDay,
  formatPercent,
  formatPhone,
  formatRate,
  formatTaxId,
  maskTaxId,
} from '../format.ts'

/** A state, as a colour. */
export type Tone = 'good' | 'bad' | 'neutral' | 'waiting'

export type Badge = { tone: Tone; text: string }

type RenderPart = (name: 'http/badge' | 'http/time', model: object) => string

export type ViewFunctions = ReturnType<typeof buildViewFunctions>

/** Returns them by the names that views call them by. */
export function buildViewFunctions(render: RenderPart) {
  return {
    brl: formatBrl,
    /** Returns a dash for an unknown amount. */
    knownBrl: formatKnownBrl,
    percent: formatPercent,
    rate: formatRate,
    number: formatCount,
    countOf,
    day: formatDay,
    calendarDay: formatCalendarDay,
    instant: formatInstant,
    fullInstant: formatFullInstant,
    fullTime: formatFullTime,
    duration: formatDuration,
    taxId: formatTaxId,
    maskedTaxId: maskTaxId,
    phone: formatPhone,
    cardName: formatCard,
    answer: formatAnswer,
    /** Encodes the part of an address after `?`. */
    query: (params: Record<string, string>) => `${new URLSearchParams(params)}`,
    /** Returns markup; with `now` as in a list. */
    time: (iso: string, now?: Date) =>
      render('http/time', { iso, text: formatInstant(iso, now), full: formatFullInstant(iso) }),
    /** Returns the markup of an instant in a list, where the time of day does not matter. */
    nearDay: (iso: string, now: Date) =>
      render('http/time', { iso, text: formatNearDay(iso, now), full: formatFullInstant(iso) }),
    /** Returns the markup of a whole day. */
    date: (iso: string) => render('http/time', { iso, text: formatDay(iso), full: formatDay(iso) }),
    /** Returns markup. */
    badge: (badge: Badge) => render('http/badge', badge),
  }
}
