// The custom questions in a link's form, as rows, some of them empty, since none can be added without a script.
import { CUSTOM_FIELD_TYPES } from '../../database/enums.ts'
import type { CustomField } from '../../database/tables.ts'
import { asksForCardData } from '../../payment-links/card-questions.ts'
import {
  MAX_CUSTOM_FIELDS,
  MAX_LABEL_LENGTH,
  MAX_OPTIONS,
  MIN_OPTIONS,
} from '../../payment-links/custom-fields.ts'
import { linkPageTexts } from './texts.ts'

/** One row as typed; `options` has one option on each line. */
export type CustomFieldForm = {
  key: string
  label: string
  type: string
  required: boolean
  options: string
}

const BLANK_ROWS = 2
const BLANK_ROW: CustomFieldForm = {
  key: '',
  label: '',
  type: 'text',
  required: false,
  options: '',
}
const words = linkPageTexts.customFields

export const CUSTOM_FIELD_OPTIONS = CUSTOM_FIELD_TYPES.map((type) => ({
  value: type,
  text: words.types[type],
}))

/** Ignores empty rows; clearing a row's question removes it. */
export function readCustomFieldForms(given: Record<string, unknown>): CustomFieldForm[] {
  const read = (name: string, at: number) => {
    const value = given[`${name}${at}`]
    return typeof value === 'string' ? value : ''
  }
  return Array.from({ length: MAX_CUSTOM_FIELDS }, (_, at) => ({
    key: read('customKey', at),
    label: read('customLabel', at).trim(),
    type: read('customType', at),
    required: read('customRequired', at) === 'on',
    options: read('customOptions', at),
  })).filter(({ key, label, options }) => label || (!key && options.trim()))
}

export function toCustomFieldForms(fields: CustomField[] | null): CustomFieldForm[] {
  return (fields ?? []).map(({ options = [], ...field }) => ({
    ...field,
    options: options.join('\n'),
  }))
}

export function toCustomFieldsInput(rows: readonly CustomFieldForm[]) {
  return rows.map((row) => ({
    ...(row.key && { key: row.key }),
    ...{ label: row.label, type: row.type, required: row.required },
    ...(row.type === 'choice' && { options: splitOptions(row) }),
  }))
}

/** Finds errors for which the API's text would not say which field is meant. */
export function findCustomFieldError(rows: readonly CustomFieldForm[]) {
  const labels = rows.map(({ label }) => label)
  const twice = findRepeated(labels)
  if (labels.includes('')) return words.nameless
  if (twice !== undefined) return words.repeated(twice)
  const card = rows.find((row) => [row.label, row.key, ...splitOptions(row)].some(asksForCardData))
  if (card) return words.cardData(card.label)
  const choices = rows.filter(({ type }) => type === 'choice')
  return choices.map(findOptionError).find((message) => message !== undefined)
}

function findOptionError(row: CustomFieldForm) {
  const { label } = row
  const options = splitOptions(row)
  const { length } = options
  const twice = findRepeated(options)
  if (length < MIN_OPTIONS || length > MAX_OPTIONS) return words.options(label)
  if (twice !== undefined) return words.repeatedOption(label, twice)
  const isLong = options.some((option) => [...option].length > MAX_LABEL_LENGTH)
  return isLong ? words.longOption(label, MAX_LABEL_LENGTH) : undefined
}

function findRepeated(list: readonly string[]) {
  return list.find((one, at) => list.indexOf(one) !== at)
}

/** The existing questions, and some empty rows. */
export function listCustomFieldRows(rows: CustomFieldForm[]) {
  const blank = Array.from({ length: BLANK_ROWS }, () => BLANK_ROW)
  return [...rows, ...blank].slice(0, MAX_CUSTOM_FIELDS)
}

function splitOptions({ options }: CustomFieldForm) {
  return options
    .split(/\r\n|\r|\n/)
    .map((option) => option.trim())
    .filter(Boolean)
}
