// What the rows of a file would become, and which of them seem to be links already.

import { z } from 'zod'
import { PAYMENT_METHODS } from '../../database/enums.ts'
import { formatBrl, formatTaxId } from '../../format.ts'
import type { listOtherwiseKnown } from '../../payment-links/import/known-customers.ts'
import type { ImportRow } from '../../payment-links/import/link-import.ts'
import { getEntries } from '../../record.ts'
import { texts } from '../../texts.ts'
import { linkPagePath } from '../layout/paths.ts'
import { toTimeView } from '../layout/values/time.ts'
import { linkImportTexts } from './texts.ts'

const words = linkImportTexts

type KnownNames = Awaited<ReturnType<typeof listOtherwiseKnown>>['customers']

/** All that each row says, empty cells left out. */
export function toPreview(rows: readonly ImportRow[], known: KnownNames) {
  return rows.map((row) => toPreviewRow(row, known))
}

function toPreviewRow(row: ImportRow, known: KnownNames) {
  const { title, amount, customer, ...cells } = toPreviewCells(row, known)
  const details = getEntries(cells).map(([field, text]) => ({ name: words.preview[field], text }))
  return {
    ...{ line: row.line, title, amount, customer: customer || words.nothing },
    details: details.filter(({ text }) => text !== ''),
  }
}

type RepeatedRows = { rows: readonly ImportRow[]; count: number }

/** Null where no row waits to be ticked. */
export function toRepeatedView({ rows, count }: RepeatedRows, isNothingTicked: boolean) {
  if (rows.length === 0) return null
  const left = count - rows.length
  return {
    all: words.repeatedAll(count),
    more: left > 0 ? words.moreKnown(left) : null,
    isNothingTicked,
    rows: rows.map((row) => {
      const [fault] = row.faults
      return {
        ...toPreviewRow(row, []),
        reason: fault?.message ?? '',
        href: fault?.linkId ? linkPagePath(fault.linkId) : null,
      }
    }),
  }
}

function toPreviewCells({ line, input, customer }: ImportRow, known: KnownNames) {
  const { name, email, taxId } = KeptCustomer.parse(customer ?? {})
  const called = known.find((one) => one.line === line)?.known ?? name
  const lines = [called, email, taxId].filter((text) => text !== '')
  const { amountCents: amount, ...cells } = KeptInput.parse(input ?? {})
  return { ...cells, amount, customer: lines.join('\n') }
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
