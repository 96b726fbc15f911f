// When somebody comes to pay, and who: more on Fridays and Saturdays, more from week to week, most by day.
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { addDays, getDayStart, toDay } from '../../reports/days.ts'
import type { DemoCustomer } from './people.ts'
import type { SeededRandom } from './random.ts'

export const DEMO_DAYS = 90

const HOUR_MS = 3_600_000
const MEAN_VISITS_PER_DAY = 9.2
/** From Sunday on. */
const WEEKDAY_FACTORS = [0.55, 0.75, 0.85, 0.95, 1.1, 1.5, 1.3]
const HOUR_WEIGHTS = [
  ...([
    [0, 1],
    [6, 3],
    [7, 7],
    [8, 9],
    [9, 10],
    [10, 11],
    [11, 10],
  ] as const),
  ...([
    [12, 8],
    [13, 7],
    [14, 8],
    [15, 9],
    [16, 9],
    [17, 9],
    [18, 8],
  ] as const),
  ...([
    [19, 7],
    [20, 5],
    [21, 4],
    [22, 2],
    [23, 1],
  ] as const),
]

/** In the order of their time. */
export function generateVisits(chance: SeededRandom, now: Date, daysAgo: number) {
  const day = addDays(toDay(now), -daysAgo)
  const growth = 0.6 + (0.8 * (DEMO_DAYS - daysAgo)) / DEMO_DAYS
  const weekday = WEEKDAY_FACTORS[new Date(day).getUTCDay()]!
  const count = Math.round((MEAN_VISITS_PER_DAY * weekday * growth * chance.between(80, 120)) / 100)
  const start = Date.parse(getDayStart(day))
  const instants = Array.from(
    { length: count },
    () => start + chance.weighted(HOUR_WEIGHTS) * HOUR_MS + chance.between(0, HOUR_MS - 1),
  )
  return instants.sort((a, b) => a - b).map((ms) => ({ at: new Date(ms), daysAgo }))
}

/** Events and monthly bills are for companies, nearly all else for people; some come again and again. */
export function pickCustomer(chance: SeededRandom, customers: DemoCustomer[], { tags }: LinkRow) {
  const wanted = tags.includes('empresas') || chance.is(0.05)
  const able = customers.filter(({ taxId }) => (taxId.length === 14) === wanted)
  const often = able.slice(0, Math.ceil(able.length / 4))
  return chance.pick(chance.is(0.4) ? often : able)
}
