// The only reader of amounts in reais, for forms, files and searches: as people write them and as systems do. An amount
// with two possible meanings is asked about, never guessed.

import { formatBrl } from '../../../format.ts'
import { removeUnseen } from '../../../payer-rules.js'
import { formTexts } from './texts.ts'

type AmountReading =
  | { kind: 'read'; cents: number }
  /** `1.500`: fifteen hundred for people, one and a half for systems. */
  | { kind: 'ambiguous'; thousandsCents: number; decimalsCents: number }
  | { kind: 'unreadable' }

const CURRENCY = /^R\$\s*/i
const AMBIGUOUS = /^([1-9]\d{0,2})[.,](\d{3})$/
/** `150`, `150,00` and `150.00`; `1.500,00`; `1,500.00`. */
const AMOUNTS = [
  /^(\d{1,12})(?:[.,](\d{1,2}))?$/,
  /^([1-9]\d{0,2}(?:\.\d{3}){1,3})(?:,(\d{1,2}))?$/,
  /^([1-9]\d{0,2}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/,
]

export function readAmount(typed: string): AmountReading {
  // Normalization would turn `150²` into 1502.
  if (/\p{No}/u.test(typed)) return { kind: 'unreadable' }
  const plain = removeUnseen(typed.normalize('NFKC')).trim().replace(CURRENCY, '')
  const [, thousands, rest] = plain.match(AMBIGUOUS) ?? []
  if (thousands !== undefined && rest !== undefined) {
    return {
      kind: 'ambiguous',
      thousandsCents: toCents(`${thousands}${rest}`),
      decimalsCents: toCents(thousands, rest.slice(0, 2)),
    }
  }
  for (const pattern of AMOUNTS) {
    const [, reais, cents] = plain.match(pattern) ?? []
    if (reais !== undefined) return { kind: 'read', cents: toCents(reais, cents) }
  }
  return { kind: 'unreadable' }
}

function toCents(reais: string, cents = '') {
  return Number(reais.replace(/[.,]/g, '')) * 100 + Number(cents.padEnd(2, '0'))
}

/** Returns cents; undefined for an invalid or ambiguous amount. */
export function parseBrl(typed: string) {
  const reading = readAmount(typed)
  return reading.kind === 'read' ? reading.cents : undefined
}

/** Returns the error of an amount; undefined for a valid one. */
export function describeAmountError(typed: string, { min, max }: { min: number; max: number }) {
  const reading = readAmount(typed)
  if (reading.kind === 'unreadable') return formTexts.money
  if (reading.kind === 'ambiguous') {
    const { thousandsCents, decimalsCents } = reading
    const readings = [formatBrl(thousandsCents), formatBrl(decimalsCents)] as const
    return formTexts.ambiguousMoney(typed.trim(), ...readings)
  }
  if (reading.cents < min) return formTexts.minMoney(formatBrl(min))
  return reading.cents > max ? formTexts.maxMoney(formatBrl(max)) : undefined
}
