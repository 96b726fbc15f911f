// Who comes to pay, and when: people and companies that do not exist, with documents whose check digits
// are right; more on Fridays and Saturdays, more from week to week, most by day.

import { parseTaxId } from '../../customers/tax-id.ts'
import { requireFound } from '../../database/found.ts'
import { newId } from '../../database/id.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { addDays, getDayStart, toDay } from '../../reports/days.ts'
import type { SeededRandom } from './random.ts'

const FIRST_NAMES = ['Ana', 'Bruno', 'Camila', 'Débora', 'Eduardo', 'Gabriel', 'João', 'Júlia']
const SURNAMES = ['Azevedo', 'Barbosa', 'Conceição', 'Costa', 'Gonçalves', 'Lima', 'Moraes']
const COMPANIES = [
  ...['Hotel Atlântico Ltda', 'Escola Girassol Ltda', 'Clínica Vida Plena', 'Agência Farol'],
  ...['Academia Movimento', 'Livraria Travessia', 'Contábil Horizonte', 'Café da Praça'],
]
const PEOPLE_COUNT = 48
const DAYS = 90
const MEAN_VISITS_PER_DAY = 9.2
/** From Sunday on. */
const WEEKDAY_FACTORS = [0.55, 0.75, 0.85, 0.95, 1.1, 1.5, 1.3]
/** From midnight on. */
const HOUR_WEIGHTS = [1, 0, 0, 0, 0, 0, 3, 7, 9, 10, 11, 10, 8, 7, 8, 9, 9, 9, 8, 7, 5, 4, 2, 1]

export type DemoCustomer = ReturnType<typeof generateCustomers>[number]

/** Companies first; nobody twice. */
export function generateCustomers(random: SeededRandom) {
  const people = new Set<string>()
  while (people.size < PEOPLE_COUNT) {
    people.add([FIRST_NAMES, SURNAMES, SURNAMES].map(random.pick).join(' '))
  }
  return [...COMPANIES, ...people].map((name, i) => ({
    id: newId(),
    name,
    email: `${toEmailLocalPart(name)}@exemplo.example`,
    taxId: completeTaxId(i < COMPANIES.length ? `${random.digits(8)}0001` : random.digits(9)),
    phone: random.chance(0.6) ? `489${random.digits(8)}` : null,
  }))
}

/** Events and monthly bills are for companies, nearly all else for people; some come again and again. */
export function pickCustomer(random: SeededRandom, customers: DemoCustomer[], tags: string[]) {
  const wanted = tags.includes('empresas') || random.chance(0.05)
  const able = customers.filter(({ taxId }) => (taxId.length === 14) === wanted)
  return random.pick(random.chance(0.4) ? able.slice(0, Math.ceil(able.length / 4)) : able)
}

/** When somebody came, in that order, the last one an hour ago at the latest. */
export function generateVisits(random: SeededRandom, now: Date): Date[] {
  const visits = Array.from({ length: DAYS + 1 }, (_, dayNumber) => {
    const day = addDays(toDay(now), dayNumber - DAYS)
    const growth = 0.6 + (0.8 * dayNumber) / DAYS
    const mean =
      MEAN_VISITS_PER_DAY * requireFound(WEEKDAY_FACTORS[new Date(day).getUTCDay()]) * growth
    return Array.from({ length: Math.round((mean * random.integer(80, 120)) / 100) }, () => {
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
