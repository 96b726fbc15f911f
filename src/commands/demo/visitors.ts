// Who comes to pay the demonstration's shop, and when: people and companies that do not exist, with documents whose
// check digits are right; more on Fridays and Saturdays, more from week to week, most by day.

import { parseTaxId } from '../../customers/tax-id.ts'
import { requireFound } from '../../database/found.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { addDays, getDayStart, toDay } from '../../reports/days.ts'
import type { SeededRandom } from './random.ts'

const FIRST_NAMES = ['Ana', 'Bruno', 'Camila', 'Débora', 'Eduardo', 'Gabriel', 'João', 'Júlia']
const SURNAMES = ['Azevedo', 'Barbosa', 'Conceição', 'Costa', 'Gonçalves', 'Lima', 'Moraes']
const COMPANIES = ['Hotel Atlântico Ltda', 'Escola Girassol Ltda', 'Clínica Vida Plena']
const PEOPLE_COUNT = 48
const DAYS = 90
const MEAN_VISITS_PER_DAY = 3
/** From Sunday on. */
const WEEKDAY_FACTORS = [0.55, 0.75, 0.85, 0.95, 1.1, 1.5, 1.3]
/** From midnight on. */
const HOUR_WEIGHTS = [1, 0, 0, 0, 0, 0, 3, 7, 9, 10, 11, 10, 8, 7, 8, 9, 9, 9, 8, 7, 5, 4, 2, 1]

export type DemoPayer = ReturnType<typeof generatePayers>[number]

/** Nobody twice. */
export function generatePayers(random: SeededRandom) {
  const people = new Set<string>()
  while (people.size < PEOPLE_COUNT) {
    people.add([FIRST_NAMES, SURNAMES, SURNAMES].map(random.pick).join(' '))
  }
  return [...COMPANIES, ...people].map((name, i) => ({
    name,
    email: `${toEmailLocalPart(name)}@exemplo.example`,
    taxId: completeTaxId(i < COMPANIES.length ? `${random.digits(8)}0001` : random.digits(9)),
    phone: random.chance(0.6) ? `489${random.digits(8)}` : null,
  }))
}

/** What is for companies is bought by companies, all else by people, of whom some come again and again. */
export function pickPayer(random: SeededRandom, payers: DemoPayer[], tags: string[]) {
  const isForCompanies = tags.includes('empresas')
  const able = payers.filter(({ taxId }) => (taxId.length === 14) === isForCompanies)
  return random.pick(random.chance(0.4) ? able.slice(0, Math.ceil(able.length / 4)) : able)
}

/** When somebody came, in that order, the last one an hour ago at the latest. */
export function generateVisits(random: SeededRandom, now: Date): Date[] {
  const visits = Array.from({ length: DAYS + 1 }, (_, dayNumber) => {
    const day = addDays(toDay(now), dayNumber - DAYS)
    const growth = 0.6 + (0.8 * dayNumber) / DAYS
    const factor = requireFound(WEEKDAY_FACTORS[new Date(day).getUTCDay()]) * growth
    const count = Math.round((MEAN_VISITS_PER_DAY * factor * random.integer(80, 120)) / 100)
    return Array.from({ length: count }, () => {
      const hour = random.pickWeighted([...HOUR_WEIGHTS.entries()])
      return Date.parse(getDayStart(day)) + hour * HOUR_MS + random.integer(0, HOUR_MS - 1)
    })
  }).flat()
  const past = visits.filter((ms) => ms <= now.getTime() - HOUR_MS)
  return past.toSorted((a, b) => a - b).map((ms) => new Date(ms))
}

function completeTaxId(base: string) {
  const possible = Array.from({ length: 100 }, (_, i) => base + `${i}`.padStart(2, '0'))
  return requireFound(possible.find((taxId) => parseTaxId(taxId) === taxId))
}

function toEmailLocalPart(name: string) {
  const plain = name.normalize('NFKD').toLowerCase()
  return plain.replace(/[^a-z ]/g, '').replaceAll(' ', '.')
}
