// Reads and validates the answers to a link's custom questions (payment-links/custom-fields.ts).

import type { CustomAnswer, CustomField } from '../database/tables.ts'
import { containsCardData } from '../http/card-data.ts'
import { toRecord } from '../http/fields.ts'
import { textField, toOneLine } from '../http/text.ts'
import {
  listAskedFields,
  MAX_ANSWER_LENGTH,
  MAX_CUSTOM_FIELDS,
} from '../payment-links/custom-fields.ts'
import type { AnswerName, FormErrors, FormValues } from './form-values.ts'
import type { CheckoutTexts } from './texts/pt.ts'

const PREFIX = 'custom_'
/** A number as people in Brazil write it, or with a point before the decimals, also used as the `pattern` of inputs. */
const GROUPED = '[1-9]\\d{0,2}(?:\\.\\d{3}){1,4}'
const NUMBER_PATTERN = `-?(?:(?:${GROUPED}|\\d{1,15})(?:,\\d{1,6})?|\\d{1,15}\\.\\d{1,6})`
const NUMBER = new RegExp(`^${NUMBER_PATTERN}$`)
/** In these, points separate thousands. */
const WITH_GROUPS = new RegExp(`^-?${GROUPED}(?:,|$)`)
const DAY = /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d?)\/(\d\d?)\/(\d{4}))$/
const [MIN_DAY, MAX_DAY] = ['1900-01-01', '2100-12-31']

const AnswerText = textField({ max: MAX_ANSWER_LENGTH, clean: toOneLine })

type AnswerTexts = CheckoutTexts['answers']

/** Ignores fields that the link does not have. The first value of a repeated field counts. */
export function readAnswers(body: unknown, fields: readonly CustomField[], words: AnswerTexts) {
  const values = toRecord(body)
  const answers: CustomAnswer[] = []
  const errors: FormErrors = []
  for (const field of listAskedFields(fields)) {
    const name = toAnswerName(field)
    const [typed] = [values[name]].flat()
    const read = readAnswer(field, typeof typed === 'string' ? typed : '', words)
    if (read.kind === 'invalid') errors.push({ field: name, message: read.message })
    if (read.kind === 'answered') {
      const { key, label, type } = field
      answers.push({ key, label, type, value: read.value })
    }
  }
  return { answers, errors }
}

/** Returns the typed values by field name, to show them again. */
export function readTypedAnswers(body: unknown): FormValues['answers'] {
  const typed = Object.entries(toRecord(body)).flatMap(([name, value]) =>
    name.startsWith(PREFIX) && typeof value === 'string' && !containsCardData(value)
      ? [[name, value] as const]
      : [],
  )
  return new Map(typed.slice(0, MAX_CUSTOM_FIELDS))
}

/** Returns former answers as a payer would type them. */
export function toTypedAnswers(answers: CustomAnswer[] | null): FormValues['answers'] {
  return new Map(
    (answers ?? []).map((answer) => {
      const { type, value } = answer
      return [toAnswerName(answer), type === 'number' ? value.replace('.', ',') : value]
    }),
  )
}

export function listCustomFieldViews(
  fields: readonly CustomField[] | null,
  typed: FormValues['answers'],
  words: AnswerTexts,
) {
  return listAskedFields(fields).map((field) => toCustomFieldView(field, typed, words))
}

export type CustomFieldView = ReturnType<typeof toCustomFieldView>

function toCustomFieldView(field: CustomField, typed: FormValues['answers'], words: AnswerTexts) {
  const { label, type, required } = field
  const id = toAnswerName(field)
  return {
    id,
    label,
    type: type === 'date' ? ('date' as const) : ('text' as const),
    inputmode: type === 'number' ? ('decimal' as const) : ('text' as const),
    ...(type === 'number' && { pattern: `\\s*${NUMBER_PATTERN}\\s*` }),
    ...(type === 'date' && { min: MIN_DAY, max: MAX_DAY }),
    options: field.options ?? null,
    value: typed.get(id) ?? '',
    isOptional: !required,
    // The texts for the script; without the first, the field may be empty.
    whenEmpty: required ? words.required(label) : null,
    whenInvalid: words[type](label),
  }
}

type ReadAnswer =
  | { kind: 'answered'; value: string }
  | { kind: 'unanswered' }
  | { kind: 'invalid'; message: string }

function readAnswer(
  { label, type, required, options = [] }: CustomField,
  typed: string,
  words: AnswerTexts,
): ReadAnswer {
  const text = AnswerText.safeParse(typed)
  if (text.data === '') {
    return required ? { kind: 'invalid', message: words.required(label) } : { kind: 'unanswered' }
  }
  const value = text.data && parseAnswer(type, text.data, options)
  return value ? { kind: 'answered', value } : { kind: 'invalid', message: words[type](label) }
}

function parseAnswer(type: CustomField['type'], text: string, options: readonly string[]) {
  switch (type) {
    case 'text':
      return text
    case 'choice':
      return options.find((option) => AnswerText.safeParse(option).data === text)
    case 'number':
      return NUMBER.test(text) ? parseNumber(text) : undefined
    case 'date':
      return parseDay(text)
  }
}

/** Reads `1.234,5`, `1234,5` and `1234.5` as `1234.5`; `1.234` is more than a thousand. */
function parseNumber(text: string) {
  const digits = WITH_GROUPS.test(text) ? text.replaceAll('.', '') : text
  return digits.replace(',', '.')
}

/** Reads `2026-12-31`, or `31/12/2026` from browsers without a calendar; undefined for a day that does not exist. */
function parseDay(text: string) {
  const [, year, month, day, ownDay = '', ownMonth = '', ownYear] = DAY.exec(text) ?? []
  const iso = year
    ? `${year}-${month}-${day}`
    : `${ownYear}-${ownMonth.padStart(2, '0')}-${ownDay.padStart(2, '0')}`
  const instant = new Date(`${iso}T00:00:00.000Z`)
  const isReal = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(iso)
  return isReal && iso >= MIN_DAY && iso <= MAX_DAY ? iso : undefined
}

export function toAnswerName({ key }: Pick<CustomField, 'key'>): AnswerName {
  return `${PREFIX}${key}`
}
