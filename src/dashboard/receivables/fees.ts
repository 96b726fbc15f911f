// `/painel/recebimentos/tarifas`: the fees that the company says its providers charge, for the present environment: one
// for Pix, and for cards one for each number of installments, where an empty row repeats the one above.
import type { FastifyInstance } from 'fastify'
import {
  type FeeTerms,
  findFeeTerms,
  MAX_FEE_RATE_BPS,
  MAX_FIXED_FEE_CENTS,
  replaceFeeTerms,
} from '../../companies/fee-terms.ts'
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

type Fee = { rateBps: number; fixedCents: number }
/** By the names of the rows: `pix`, and `card1` to `card12`. */
type FeeValues = Record<string, Fee | null>

const CARD_COUNTS = Array.from({ length: MAX_INSTALLMENTS }, (_, at) => at + 1)
const FEE_LABELS: Record<string, string> = {
  pix: words.names.pix,
  ...Object.fromEntries(CARD_COUNTS.map((count) => [`card${count}`, words.names.card(count)])),
}
const FEE_NAMES = Object.keys(FEE_LABELS)

export async function feePages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

  registerForm(app, '/recebimentos/tarifas', {
    right: 'receivables',
    load: ({ visitor }) => findFeeTerms(needs.db, visitor.company.id),
    toValues: toFeeValues,
    toForm: (terms) => toFeesForm(toFeeValues(terms)),
    readForm: ({ body }) => readTypedFields(body),
    parse: readFeesForm,
    save: (request, _terms, values) => saveFees(needs, request, values),
    view: (request, reply, shown) =>
      show(request, reply, 'dashboard/receivables/fees', {
        title: words.title,
        section: 'recebimentos',
        ...shown,
        counts: CARD_COUNTS,
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

function toFeeValues({ pix, credit_card: card }: FeeTerms): FeeValues {
  const values: FeeValues = { pix: toFee(pix[0]) }
  for (const count of CARD_COUNTS) {
    values[`card${count}`] = toFee(card.find(({ installments }) => installments === count))
  }
  return values
}

function toFee(fee: Fee | undefined): Fee | null {
  return fee ? { rateBps: fee.rateBps, fixedCents: fee.fixedCents } : null
}

function toFeeTerms(values: FeeValues): FeeTerms {
  const toRow = (installments: number, fee: Fee | null | undefined) =>
    fee ? [{ installments, ...fee }] : []
  return {
    pix: toRow(1, values.pix),
    credit_card: CARD_COUNTS.flatMap((count) => toRow(count, values[`card${count}`])),
  }
}

function toFeesForm(values: FeeValues): TypedFields {
  const form: TypedFields = {}
  for (const name of FEE_NAMES) {
    const fee = values[name]
    form[`${name}Rate`] = fee ? formatRate(fee.rateBps).replace('%', '') : ''
    form[`${name}Fixed`] = fee ? formatBrlInput(fee.fixedCents) : ''
  }
  return form
}

function readFeesForm(typed: TypedFields): FormResult<FeeValues> {
  const errors: FormError[] = []
  const values: FeeValues = {}
  for (const name of FEE_NAMES) values[name] = readFee(typed, name, errors)
  const hasCardFee = CARD_COUNTS.some((count) => values[`card${count}`])
  if (errors.length === 0 && hasCardFee && !values.card1)
    errors.push({ field: 'card1Rate', message: words.noCardFee })
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'valid', values }
}

function readFee(typed: TypedFields, name: string, errors: FormError[]): Fee | null {
  const rate = typed[`${name}Rate`]?.trim() ?? ''
  const fixed = typed[`${name}Fixed`]?.trim() ?? ''
  if (rate === '' && fixed === '') return null
  const rateBps = parseRate(rate, MAX_FEE_RATE_BPS)
  const fixedCents = readFixedCents(fixed)
  if (rateBps !== undefined && fixedCents !== undefined) return { rateBps, fixedCents }
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
  const entries = FEE_NAMES.map((name) => {
    const fee = values[name]
    const isStart = name === 'pix' || name === 'card1'
    return [name, fee ? formatFee(fee) : isStart ? words.nothing : words.asAbove]
  })
  return Object.fromEntries(entries)
}

function formatFee({ rateBps, fixedCents }: Fee) {
  return words.fee(formatRate(rateBps), fixedCents > 0 ? formatBrl(fixedCents) : null)
}
