// An amount in reais as spreadsheets and systems write it. What could be read in two ways is refused.
import { formatBrl } from '../../format.ts'
import { MAX_AMOUNT_CENTS, MIN_AMOUNT_CENTS } from '../../payment-links/schema.ts'
import { formTexts } from '../layout/forms/texts.ts'
import { linkImportTexts } from './texts.ts'

type ReaisResult = { kind: 'read'; cents: number } | { kind: 'refused'; message: string }

/** `1234`, `1234,5`, `1.234,56`, and `1234.56` with a point. */
const REAIS = /^(?:R\$\s*)?(\d{1,12}|\d{1,3}(?:\.\d{3})+(?=,))(?:[,.](\d{1,2}))?$/
/** `1.234`: a thousand and more to people, one and a bit to systems. */
const AMBIGUOUS = /^(?:R\$\s*)?\d{1,3}(?:[.,]\d{3})+$/

export function parseReais(typed: string): ReaisResult {
  const plain = typed.replaceAll('\u00a0', ' ').trim()
  if (AMBIGUOUS.test(plain)) return { kind: 'refused', message: linkImportTexts.rows.ambiguous }
  const [, whole, part = ''] = plain.match(REAIS) ?? []
  if (whole === undefined) return { kind: 'refused', message: linkImportTexts.rows.amount }
  const cents = Number(whole.replaceAll('.', '')) * 100 + Number(part.padEnd(2, '0'))
  if (cents < MIN_AMOUNT_CENTS) {
    return { kind: 'refused', message: formTexts.minMoney(formatBrl(MIN_AMOUNT_CENTS)) }
  }
  if (cents > MAX_AMOUNT_CENTS) {
    return { kind: 'refused', message: formTexts.maxMoney(formatBrl(MAX_AMOUNT_CENTS)) }
  }
  return { kind: 'read', cents }
}
