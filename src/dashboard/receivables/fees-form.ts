// What providers keep and when they pay out, as it is typed: of Pix one fee, of cards one for each number of
// installments, where an empty row is as the one above.

import {
  MAX_FEE_RATE_BPS,
  MAX_FIXED_FEE_CENTS,
  MAX_PAYOUT_DAYS,
  type MethodTerms,
  PART_INTERVAL_DAYS,
  type PayoutTerms,
} from '../../companies/payout-terms.ts'
import { formatBrl, formatRate } from '../../format.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { getEntries } from '../../record.ts'
import { parseBrl } from '../layout/forms/amount.ts'
import { type FormResult, formatBrlInput, type TypedFields } from '../layout/forms/form.ts'
import type { FormError } from '../layout/page.ts'
import { parseRate, parseWholeNumber } from './terms-form.ts'
import { feeTexts } from './texts.ts'

type Fee = { rateBps: number; fixedCents: number }
type Payout = { payoutDays: number; byInstallment: boolean }

/** By the names of the fields that several people may change: `pix`, `cardPayout`, and `card1` to `card12`. */
export type FeeValues = Record<`card${number}`, Fee | null> & {
  pix: (Fee & { payoutDays: number }) | null
  cardPayout: Payout | null
}

type FeeTexts = Record<keyof FeeValues & string, string>

const CARD_COUNTS = Array.from({ length: MAX_INSTALLMENTS }, (_, at) => at + 1)

export function toFeeValues({ pix, credit_card: card }: PayoutTerms): FeeValues {
  const [pixFee] = pix?.fees ?? []
  const values: FeeValues = {
    pix: pix && pixFee ? { ...toFee(pixFee), payoutDays: pix.payoutDays } : null,
    cardPayout: card && { payoutDays: card.payoutDays, byInstallment: card.byInstallment },
  }
  for (const count of CARD_COUNTS) {
    const told = card?.fees.find(({ installments }) => installments === count)
    values[`card${count}`] = told ? toFee(told) : null
  }
  return values
}

/** Undefined where they do not go together, as two people's changes may not. */
export function toPayoutTerms(values: FeeValues): PayoutTerms | undefined {
  const { pix, cardPayout } = values
  const fees = listCardFees(values)
  const isWhole = cardPayout ? fees[0]?.installments === 1 : fees.length === 0
  if (!isWhole) return undefined
  const ofPix = pix && { payoutDays: pix.payoutDays, byInstallment: false }
  const card: MethodTerms | null = cardPayout && { ...cardPayout, fees }
  return {
    pix: ofPix && { ...ofPix, fees: [{ installments: 1, ...toFee(pix) }] },
    credit_card: card,
  }
}

function listCardFees(values: FeeValues) {
  return CARD_COUNTS.flatMap((installments) => {
    const fee = values[`card${installments}`]
    return fee ? [{ installments, ...fee }] : []
  })
}

function toFee({ rateBps, fixedCents }: Fee): Fee {
  return { rateBps, fixedCents }
}

export function toFeesForm({ pix, cardPayout, ...values }: FeeValues): TypedFields {
  const { payoutDays, byInstallment } = cardPayout ?? NO_PAYOUT
  const form: TypedFields = {
    ...formatFeeFields('pix', pix),
    pixDays: pix ? String(pix.payoutDays) : '',
    cardPayout: byInstallment ? 'installments' : 'days',
    cardDays: payoutDays === null || byInstallment ? '' : String(payoutDays),
  }
  for (const count of CARD_COUNTS) {
    Object.assign(form, formatFeeFields(`card${count}`, values[`card${count}`] ?? null))
  }
  return form
}

const NO_PAYOUT = { payoutDays: null, byInstallment: false }

function formatFeeFields(name: string, fee: Fee | null): TypedFields {
  return {
    [`${name}Rate`]: fee ? formatRate(fee.rateBps).replace('%', '') : '',
    [`${name}Fixed`]: fee ? formatBrlInput(fee.fixedCents) : '',
  }
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
  const read = <Value>(
    field: string,
    parse: (text: string) => Value | undefined,
    sentence: string,
  ) => {
    const text = typed[field]?.trim() ?? ''
    const value = text === '' ? null : parse(text)
    if (value === undefined) errors.push({ field, message: sentence })
    return value ?? null
  }
  const readFee = (name: string) => {
    const rateBps = read(`${name}Rate`, parseFeeRate, feeTexts.rate(formatRate(MAX_FEE_RATE_BPS)))
    const fixedSentence = feeTexts.fixed(formatBrl(MAX_FIXED_FEE_CENTS))
    const fixedCents = read(`${name}Fixed`, parseFixedFee, fixedSentence)
    const isLacking = rateBps === null && fixedCents !== null && !typed[`${name}Rate`]?.trim()
    if (isLacking) errors.push({ field: `${name}Rate`, message: feeTexts.noRate })
    return rateBps === null ? null : { rateBps, fixedCents: fixedCents ?? 0 }
  }
  const readDays = (field: string) => read(field, parsePayoutDays, feeTexts.days(MAX_PAYOUT_DAYS))

  const pixFee = readFee('pix')
  const pixDays = readDays('pixDays')
  const values: FeeValues = {
    pix: pixFee && pixDays !== null ? { ...pixFee, payoutDays: pixDays } : null,
    cardPayout: null,
  }
  for (const count of CARD_COUNTS) values[`card${count}`] = readFee(`card${count}`)
  const byInstallment = typed.cardPayout === 'installments'
  const payoutDays = byInstallment ? PART_INTERVAL_DAYS : readDays('cardDays')
  if (payoutDays !== null) values.cardPayout = { payoutDays, byInstallment }
  if (errors.length === 0) {
    errors.push(...findPixGaps({ fee: pixFee, days: pixDays }), ...findCardGaps(values))
  }
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'valid', values }
}

const parseFeeRate = (text: string) => parseRate(text, MAX_FEE_RATE_BPS)

function parseFixedFee(text: string) {
  const cents = parseBrl(text)
  return cents !== undefined && cents <= MAX_FIXED_FEE_CENTS ? cents : undefined
}

const parsePayoutDays = (text: string) =>
  parseWholeNumber(text.replace(/^d\+/i, ''), { min: 0, max: MAX_PAYOUT_DAYS })

function findPixGaps({ fee, days }: { fee: Fee | null; days: number | null }): FormError[] {
  if (!fee && days !== null) return [{ field: 'pixRate', message: feeTexts.noFee.pix }]
  return fee && days === null ? [{ field: 'pixDays', message: feeTexts.noDays }] : []
}

function findCardGaps(values: FeeValues): FormError[] {
  const isTold = values.cardPayout !== null || listCardFees(values).length > 0
  if (isTold && !values.card1) return [{ field: 'card1Rate', message: feeTexts.noFee.card }]
  return isTold && !values.cardPayout ? [{ field: 'cardDays', message: feeTexts.noDays }] : []
}

/** As people read them, in the audit log too. */
export function describeFees(values: FeeValues): FeeTexts {
  const { pix, cardPayout } = values
  const described: FeeTexts = {
    pix: pix ? feeTexts.pix(formatFee(pix), feeTexts.payout(pix.payoutDays)) : feeTexts.nothing,
    cardPayout: formatPayout(cardPayout),
  }
  for (const count of CARD_COUNTS) {
    const fee = values[`card${count}`]
    const none = count === 1 ? feeTexts.nothing : feeTexts.asAbove
    described[`card${count}`] = fee ? formatFee(fee) : none
  }
  return described
}

function formatFee({ rateBps, fixedCents }: Fee) {
  return feeTexts.fee(formatRate(rateBps), fixedCents > 0 ? formatBrl(fixedCents) : null)
}

function formatPayout(payout: Payout | null) {
  if (!payout) return feeTexts.nothing
  return payout.byInstallment ? feeTexts.byInstallment : feeTexts.payout(payout.payoutDays)
}

export const FEE_LABELS: FeeTexts = {
  pix: feeTexts.names.pix,
  cardPayout: feeTexts.names.cardPayout,
  ...Object.fromEntries(CARD_COUNTS.map((count) => [`card${count}`, feeTexts.names.card(count)])),
}
