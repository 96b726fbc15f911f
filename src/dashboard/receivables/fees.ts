// `/painel/recebimentos/tarifas`: the fees that the company says its providers charge, for the present environment: one
// for Pix, and for cards one for each band of installments. A blank band repeats the one above; a band with several
// saved fees, from when each number of installments had its own, is shown blank and keeps them while it stays blank.
import type { FastifyInstance } from 'fastify'
import {
  type FeeRow,
  type FeeTerms,
  findFeeTerms,
  MAX_FEE_RATE_BPS,
  MAX_FIXED_FEE_CENTS,
  replaceFeeTerms,
} from '../../companies/fee-terms.ts'
import type { PaymentMethod } from '../../database/enums.ts'
import { formatBrl, formatRate } from '../../format.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import {
  type FormRequest,
  type FormResult,
  formatBrlInput,
  parseBrl,
  readTypedFields,
  registerForm,
  type TypedFields,
} from '../layout/form.ts'
import { type DashboardNeeds, recordAct } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { FEES_PATH } from '../layout/paths.ts'
import { saveVersionedForm } from '../layout/versioned.ts'
import { parseRate } from './terms.ts'
import { feeTexts as words } from './texts.ts'

type Band = { name: string; method: PaymentMethod; from: number; to: number }
/** The saved or typed fees of each band, by its name. */
type FeeValues = Record<string, FeeRow[]>

const PIX_BAND: Band = { name: 'pix', method: 'pix', from: 1, to: 1 }
const CARD_BANDS: Band[] = [
  { name: 'card1', method: 'credit_card', from: 1, to: 1 },
  { name: 'card2', method: 'credit_card', from: 2, to: 6 },
  { name: 'card7', method: 'credit_card', from: 7, to: MAX_INSTALLMENTS },
]
const BANDS = [PIX_BAND, ...CARD_BANDS]
const FEE_LABELS: Record<string, string> = {
  pix: words.pix,
  ...Object.fromEntries(CARD_BANDS.map((band) => [band.name, words.card(formatBand(band))])),
}

export async function feePages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

  registerForm(app, '/recebimentos/tarifas', {
    right: 'receivables',
    load: ({ visitor }) => findFeeTerms(needs.db, visitor.company.id),
    toValues: toFeeValues,
    toForm: (terms) => toFeesForm(toFeeValues(terms)),
    readForm: ({ body }) => readTypedFields(body),
    parse: (typed, terms) => readFeesForm(typed, toFeeValues(terms)),
    save: (request, _terms, values) => saveFees(needs, request, values),
    view: (request, reply, shown, terms) =>
      show(request, reply, 'dashboard/receivables/fees', {
        title: words.title,
        section: 'recebimentos',
        ...shown,
        bands: CARD_BANDS.map((band) => ({ name: band.name, text: formatBand(band) })),
        several: describeSeveralFees(toFeeValues(terms)),
      }),
    done: `${FEES_PATH}?feito=tarifas-salvas`,
  })
}

function saveFees(needs: DashboardNeeds, request: FormRequest, typed: FeeValues) {
  const { db } = needs
  const { id } = request.visitor.company
  const audited = { action: 'fees_changed', subjectId: id } as const
  return saveVersionedForm(needs, request, {
    find: () => findFeeTerms(db, id),
    toValues: toFeeValues,
    describe: describeFees,
    labels: FEE_LABELS,
    typed,
    audited,
    async save(before, { details }) {
      const after = toFeeTerms(typed)
      if (!(await replaceFeeTerms(db, id, { before, after }))) return undefined
      await recordAct(needs, request, { ...audited, details })
      return { kind: 'saved' } as const
    },
  })
}

function toFeeValues(terms: FeeTerms): FeeValues {
  const entries = BANDS.map(({ name, method, from, to }) => {
    const isWithin = ({ installments }: FeeRow) => installments >= from && installments <= to
    return [name, terms[method].filter(isWithin)]
  })
  return Object.fromEntries(entries)
}

function toFeeTerms(values: FeeValues): FeeTerms {
  const listFees = (bands: Band[]) => bands.flatMap(({ name }) => values[name] ?? [])
  return { pix: listFees([PIX_BAND]), credit_card: listFees(CARD_BANDS) }
}

/** The fees of a band that are not one for all its numbers of installments. */
function listSeveralFees({ name, from }: Band, values: FeeValues) {
  const fees = values[name] ?? []
  return fees.some(({ installments }) => installments !== from) ? fees : []
}

function describeSeveralFees(values: FeeValues) {
  return CARD_BANDS.filter((band) => listSeveralFees(band, values).length > 0).map((band) =>
    words.several(formatBand(band), formatFees(band, values)),
  )
}

function toFeesForm(values: FeeValues): TypedFields {
  const form: TypedFields = {}
  for (const band of BANDS) {
    const [fee] = listSeveralFees(band, values).length > 0 ? [] : (values[band.name] ?? [])
    form[`${band.name}Rate`] = fee ? formatRate(fee.rateBps).replace('%', '') : ''
    form[`${band.name}Fixed`] = fee ? formatBrlInput(fee.fixedCents) : ''
  }
  return form
}

function readFeesForm(typed: TypedFields, saved: FeeValues): FormResult<FeeValues> {
  const errors: FormError[] = []
  const values: FeeValues = {}
  for (const band of BANDS) {
    const fee = readFee(typed, band, errors)
    values[band.name] = fee ? [fee] : listSeveralFees(band, saved)
  }
  const { credit_card: card } = toFeeTerms(values)
  if (errors.length === 0 && card[0] && card[0].installments > 1)
    errors.push({ field: 'card1Rate', message: words.noCardFee })
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'valid', values }
}

function readFee(typed: TypedFields, { name, from }: Band, errors: FormError[]): FeeRow | null {
  const rate = typed[`${name}Rate`]?.trim() ?? ''
  const fixed = typed[`${name}Fixed`]?.trim() ?? ''
  if (rate === '' && fixed === '') return null
  const rateBps = parseRate(rate, MAX_FEE_RATE_BPS)
  const fixedCents = readFixedCents(fixed)
  if (rateBps !== undefined && fixedCents !== undefined)
    return { installments: from, rateBps, fixedCents }
  const wrongRate = rate === '' ? words.noRate : words.rate(formatRate(MAX_FEE_RATE_BPS))
  if (rateBps === undefined) errors.push({ field: `${name}Rate`, message: wrongRate })
  if (fixedCents === undefined)
    errors.push({ field: `${name}Fixed`, message: words.fixed(formatBrl(MAX_FIXED_FEE_CENTS)) })
  return null
}

function readFixedCents(typed: string) {
  const cents = typed === '' ? 0 : parseBrl(typed)
  return cents !== undefined && cents <= MAX_FIXED_FEE_CENTS ? cents : undefined
}

/** Describes fees for people, also in the audit log. */
function describeFees(values: FeeValues): Record<string, string> {
  const entries = BANDS.map((band) => {
    const blank = band.from === 1 ? words.nothing : words.asAbove
    return [band.name, formatFees(band, values) || blank]
  })
  return Object.fromEntries(entries)
}

function formatFees(band: Band, values: FeeValues) {
  const several = listSeveralFees(band, values)
  if (several.length === 0) return (values[band.name] ?? []).map(formatFee).join()
  return several.map((fee) => `${fee.installments}x ${formatFee(fee)}`).join(', ')
}

function formatFee({ rateBps, fixedCents }: FeeRow) {
  return words.fee(formatRate(rateBps), fixedCents > 0 ? formatBrl(fixedCents) : null)
}

function formatBand({ from, to }: Band) {
  return from === to ? `${from}x` : words.band(from, to)
}
