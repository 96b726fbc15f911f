// What providers keep, as it is typed: of Pix one fee, of cards one for each number of installments, where an
// empty row is as the one above.

import { type FeeTerms, MAX_FEE_RATE_BPS, MAX_FIXED_FEE_CENTS } from '../../companies/fee-terms.ts'
import { formatBrl, formatRate } from '../../format.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { getEntries } from '../../record.ts'
import { parseBrl } from '../layout/forms/amount.ts'
import { type FormResult, formatBrlInput, type TypedFields } from '../layout/forms/form.ts'
import type { FormError } from '../layout/page.ts'
import { parseRate } from './terms-form.ts'
import { feeTexts } from './texts.ts'

type Fee = { rateBps: number; fixedCents: number }

/** By the names of the rows: `pix`, and `card1` to `card12`. */
export type FeeValues = Record<string, Fee | null>

const CARD_COUNTS = Array.from({ length: MAX_INSTALLMENTS }, (_, at) => at + 1)
const FEE_NAMES = ['pix', ...CARD_COUNTS.map((count) => `card${count}`)]

export function toFeeValues({ pix, credit_card: card }: FeeTerms): FeeValues {
  const values: FeeValues = { pix: toFee(pix[0]) }
  for (const count of CARD_COUNTS) {
    values[`card${count}`] = toFee(card.find(({ installments }) => installments === count))
  }
  return values
}

function toFee(fee: Fee | undefined): Fee | null {
  return fee ? { rateBps: fee.rateBps, fixedCents: fee.fixedCents } : null
}

export function toFeeTerms(values: FeeValues): FeeTerms {
  const toRow = (installments: number, fee: Fee | null | undefined) =>
    fee ? [{ installments, ...fee }] : []
  return {
    pix: toRow(1, values.pix),
    credit_card: CARD_COUNTS.flatMap((count) => toRow(count, values[`card${count}`])),
  }
}

export function toFeesForm(values: FeeValues): TypedFields {
  const form: TypedFields = {}
  for (const name of FEE_NAMES) {
    const fee = values[name]
    form[`${name}Rate`] = fee ? formatRate(fee.rateBps).replace('%', '') : ''
    form[`${name}Fixed`] = fee ? formatBrlInput(fee.fixedCents) : ''
  }
  return form
}

/** The card's table as its fields stand in it. */
export function toCardRows(form: TypedFields, errors: FormError[]) {
  return CARD_COUNTS.map((count) => ({
    count,
    cells: getEntries(feeTexts.cells).map(([part, label]) => {
      const id = `card${count}${part}`
      const error = errors.find(({ field }) => field === id)?.message ?? null
      return { id, label: label(count), value: form[id] ?? '', error }
    }),
  }))
}

export function readFeesForm(typed: TypedFields): FormResult<FeeValues> {
  const errors: FormError[] = []
  const values: FeeValues = {}
  for (const name of FEE_NAMES) values[name] = readFee(typed, name, errors)
  const isCardTold = CARD_COUNTS.some((count) => values[`card${count}`])
  if (errors.length === 0 && isCardTold && !values.card1)
    errors.push({ field: 'card1Rate', message: feeTexts.noCardFee })
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'valid', values }
}

function readFee(typed: TypedFields, name: string, errors: FormError[]): Fee | null {
  const rate = typed[`${name}Rate`]?.trim() ?? ''
  const fixed = typed[`${name}Fixed`]?.trim() ?? ''
  const refuse = (part: string, message: string) => {
    errors.push({ field: `${name}${part}`, message })
    return null
  }
  if (rate === '' && fixed === '') return null
  const rateBps = parseRate(rate, MAX_FEE_RATE_BPS)
  if (rate === '') refuse('Rate', feeTexts.noRate)
  else if (rateBps === undefined) refuse('Rate', feeTexts.rate(formatRate(MAX_FEE_RATE_BPS)))
  const fixedCents = fixed === '' ? 0 : parseBrl(fixed)
  if (fixedCents === undefined || fixedCents > MAX_FIXED_FEE_CENTS)
    return refuse('Fixed', feeTexts.fixed(formatBrl(MAX_FIXED_FEE_CENTS)))
  return rateBps === undefined ? null : { rateBps, fixedCents }
}

/** As people read them, in the audit log too. */
export function describeFees(values: FeeValues): Record<string, string> {
  const entries = FEE_NAMES.map((name) => {
    const fee = values[name]
    const isStart = name === 'pix' || name === 'card1'
    return [name, fee ? formatFee(fee) : isStart ? feeTexts.nothing : feeTexts.asAbove]
  })
  return Object.fromEntries(entries)
}

function formatFee({ rateBps, fixedCents }: Fee) {
  return feeTexts.fee(formatRate(rateBps), fixedCents > 0 ? formatBrl(fixedCents) : null)
}

export const FEE_LABELS: Record<string, string> = {
  pix: feeTexts.names.pix,
  ...Object.fromEntries(CARD_COUNTS.map((count) => [`card${count}`, feeTexts.names.card(count)])),
}
