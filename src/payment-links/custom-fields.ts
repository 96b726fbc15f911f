// The custom fields of a link: up to five questions to the payer.

import { z } from 'zod'
import { CUSTOM_FIELD_TYPES } from '../database/enums.ts'
import type { CustomField } from '../database/tables.ts'
import type { FieldError } from '../http/errors.ts'
import { buildFieldRule, defaultField, optionalField } from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { asksForCardData } from './card-questions.ts'
import { linkTexts } from './texts.ts'

export const MAX_CUSTOM_FIELDS = 5
/** The length of a question, and of each option. */
export const MAX_LABEL_LENGTH = 40
export const MIN_OPTIONS = 2
export const MAX_OPTIONS = 20
/** The length of a text answer. */
export const MAX_ANSWER_LENGTH = 200

const MAX_KEY_LENGTH = 40
/** A payment's event has these texts twice, with the payment and with its link, and must stay below 20 kB. */
const MAX_CARRIED_BYTES = 13_500
const MAX_BYTES_PER_CHARACTER = 4
const words = linkTexts.customFields

const optionList = z
  .array(textField({ min: 1, max: MAX_LABEL_LENGTH }))
  .min(MIN_OPTIONS)
  .max(MAX_OPTIONS)
  .refine(isUnique, buildFieldRule('repeated', words.repeatedOption))
  .meta({
    description: 'O que pode ser escolhido, só no tipo `choice`.',
    examples: [['P', 'M', 'G']],
  })

const key = z
  .string()
  .regex(/^[a-z0-9_-]{1,40}$/, words.key)
  .meta({
    description: 'Como programas conhecem a resposta; feita do rótulo quando não é enviada.',
    examples: ['tamanho'],
  })
const label = textField({ min: 1, max: MAX_LABEL_LENGTH }).meta({
  description: 'O que o pagador lê.',
  examples: ['Tamanho da camiseta'],
})
const type = z.enum(CUSTOM_FIELD_TYPES).meta({
  description: 'O que pode ser respondido: até 200 caracteres, um número, uma das opções, um dia.',
  examples: ['choice'],
})
const required = z.boolean().meta({ description: 'Se a resposta é obrigatória.', examples: [true] })

const NewCustomField = z
  .strictObject({
    key: optionalField(key),
    label,
    type,
    required: defaultField(required, false),
    options: optionalField(optionList),
  })
  .refine((field) => (field.type === 'choice') === (field.options !== undefined), {
    ...buildFieldRule('invalid_options', words.options),
    path: ['options'],
  })
  .superRefine((field, context) => {
    for (const path of listCardQuestions(field))
      context.addIssue({ ...buildFieldRule('card_data', words.cardData), code: 'custom', path })
  })
  .meta({ id: 'NewCustomField' })

/** The fields in requests; in answers and in the database each has a key. */
export const newCustomFields = z
  .array(NewCustomField)
  .max(MAX_CUSTOM_FIELDS)
  .refine(
    (fields) => isUnique(fields.map((field) => field.label)),
    buildFieldRule('repeated', words.repeatedLabel),
  )
  .refine(
    (fields) => isUnique(fields.flatMap((field) => field.key ?? [])),
    buildFieldRule('repeated', words.repeatedKey),
  )
  .transform(assignKeys)
  .meta({
    description:
      'O que mais a página de pagamento pergunta, nesta ordem; enviados, substituem todos.',
  })

export const CustomFieldResource = z
  .object({ key, label, type, required, options: optionList.optional() })
  .meta({ id: 'CustomField', description: 'O que mais a página de pagamento pergunta.' })

/** Lists the fields that payers see: fields of old links that ask for card data are left out. */
export function listAskedFields(fields: readonly CustomField[] | null) {
  return (fields ?? []).filter((field) => listCardQuestions(field).length === 0)
}

type Question = { key?: string | undefined; label: string; options?: string[] | undefined }

/** Returns the paths of texts that ask for card data, which only the card's own fields may. */
function listCardQuestions({ key: name, label: asked, options = [] }: Question) {
  const texts: [path: (string | number)[], text: string | undefined][] = [
    [['key'], name],
    [['label'], asked],
    ...options.map((option, at): [(string | number)[], string] => [['options', at], option]),
  ]
  return texts.flatMap(([path, text]) => (text && asksForCardData(text) ? [path] : []))
}

/** Finds errors when the texts of a link together are too long for its events. */
export function findCarriedErrors(link: CarriedParts): FieldError[] {
  const { tags, metadata, customFields } = link
  const asked = customFields ?? []
  if (asked.length === 0 && Object.keys(metadata).length === 0) return []
  const carried = Buffer.byteLength(JSON.stringify({ tags, metadata }))
  const answered = asked.reduce((sum, field) => sum + getMaxAnswerBytes(field), 0)
  if (carried + answered <= MAX_CARRIED_BYTES) return []
  const field = asked.length > 0 ? 'customFields' : 'metadata'
  return [{ field, code: 'too_big', message: linkTexts.carriedTooBig }]
}

type CarriedParts = {
  tags: string[]
  metadata: Record<string, string>
  customFields?: CustomField[] | null | undefined
}

/** Returns the length as JSON, including a comma. */
function getMaxAnswerBytes({ key: name, label: asked, type: kind, options = [] }: CustomField) {
  const longest = Math.max(
    ...options.map((option) => Buffer.byteLength(JSON.stringify(option))),
    32,
  )
  const value = kind === 'text' ? MAX_ANSWER_LENGTH * MAX_BYTES_PER_CHARACTER : longest
  return Buffer.byteLength(JSON.stringify({ key: name, label: asked, value: '' })) + value + 1
}

function assignKeys(fields: z.output<typeof NewCustomField>[]): CustomField[] {
  const taken = new Set(fields.flatMap((field) => field.key ?? []))
  return fields.map(({ options, ...field }) => {
    const own = field.key ?? makeKey(field.label, taken)
    taken.add(own)
    return { ...field, key: own, ...(options && { options }) }
  })
}

/** Makes `nome_do_aluno` of `Nome do aluno`, or `nome_do_aluno_2` when it is used already. */
function makeKey(text: string, taken: Set<string>) {
  const plain = text.normalize('NFD').toLowerCase().replace(/\p{M}/gu, '')
  const base = plain.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'campo'
  const variants = [base, ...[2, 3, 4, 5].map((n) => `${base.slice(0, MAX_KEY_LENGTH - 2)}_${n}`)]
  return variants.find((one) => !taken.has(one)) ?? base
}

function isUnique(list: readonly string[]) {
  return new Set(list).size === list.length
}
