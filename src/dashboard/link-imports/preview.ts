// What the rows of a file would become, and which of them seem to be links already.

import { z } from 'zod'
import { PAYMENT_METHODS } from '../../database/enums.ts'
import { formatBrl, formatTaxId } from '../../format.ts'
import type { listOtherwiseKnown } from '../../payment-links/import/known-customers.ts'
import type { ImportRow } from '../../payment-links/import/link-import.ts'
import { getKeys } from '../../record.ts'
import { texts } from '../../texts.ts'
import { linkPagePath } from '../layout/paths.ts'
import { toTimeView } from '../layout/values/time.ts'
import { linkImportTexts } from './texts.ts'

const words = linkImportTexts

type PreviewCells = Record<keyof typeof words.preview, string>
type KnownNames = Awaited<ReturnType<typeof listOtherwiseKnown>>['customers']

/** Of each row as much as any of them says. */
export function toPreview(rows: readonly ImportRow[], known: KnownNames) {
  const cells = rows.map((row) => toPreviewCells(row, known))
  const shown = PREVIEW_FIELDS.filter((field) => cells.some((row) => row[field] !== ''))
  return {
    columns: shown.map((field) => words.preview[field]),
    rows: rows.map(({ line }, i) => ({
      line,
      cells: shown.map((field) => ({
        name: words.preview[field],
        text: cells[i]?.[field] || words.nothing,
      })),
    })),
  }
}

type RepeatedRows = { rows: readonly ImportRow[]; count: number }

/** Null where no row seems to be a link already. */
export function toRepeatedView({ rows, count }: RepeatedRows, isNothingTicked: boolean) {
  if (count === 0) return null
  const left = count - rows.length
  return {
    all: words.repeatedAll(count),
    more: left > 0 ? words.moreKnown(left) : null,
    isNothingTicked,
    rows: rows.map((row) => {
      const [fault] = row.faults
      const cells = toPreviewCells(row, [])
      return {
        line: row.line,
        title: cells.title,
        amount: cells.amountCents,
        customer: cells['customer.name'] || words.nothing,
        reason: fault?.message ?? '',
        href: fault?.linkId ? linkPagePath(fault.linkId) : null,
      }
    }),
  }
}

const PREVIEW_FIELDS = getKeys(words.preview)

function toPreviewCells({ line, input, customer }: ImportRow, known: KnownNames): PreviewCells {
  const { name, email, taxId } = KeptCustomer.parse(customer ?? {})
  return {
    ...KeptInput.parse(input ?? {}),
    'customer.name': known.find((one) => one.line === line)?.known ?? name,
    'customer.email': email,
    'customer.taxId': taxId,
  }
}

/** What a row keeps, as it is shown; empty where it keeps nothing. */
function shown<Value>(schema: z.ZodType<Value>, format: (value: Value) => string) {
  return schema.nullish().transform((value) => (value == null ? '' : format(value)))
}

const ShownText = shown(z.string(), (text) => text)

const KeptInput = z.object({
  title: ShownText,
  amountCents: shown(z.number(), formatBrl),
  description: ShownText,
  methods: shown(z.array(z.enum(PAYMENT_METHODS)), (methods) =>
    methods.map((method) => texts.methods[method]).join(', '),
  ),
  maxInstallments: shown(z.number(), (count) => `${count}x`),
  tags: shown(z.array(z.string()), (tags) => tags.join(', ')),
  expiresAt: shown(z.string(), (instant) => toTimeView(instant).text),
  maxPayments: shown(z.number(), (count) => count.toLocaleString('pt-BR')),
  externalReference: ShownText,
})

const KeptCustomer = z.object({
  name: ShownText,
  email: ShownText,
  taxId: shown(z.string(), formatTaxId),
})
