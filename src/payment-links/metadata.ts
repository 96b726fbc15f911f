// A company's own text pairs on a link, which its payments and webhooks include.

import { z } from 'zod'
import { buildFieldRule, emptyListAsPairs, isRecord, toRecord } from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { notes } from './field-notes.ts'
import { linkTexts } from './texts.ts'

const MAX_METADATA_BYTES = 12_000
const MAX_KEY_LENGTH = 40

const sentKey = z.string().meta({ minLength: 1, maxLength: MAX_KEY_LENGTH })
const cleanKey = textField({ min: 1, max: MAX_KEY_LENGTH })
/** A number becomes text if it was parsed exactly. */
export const metadataValue = z.preprocess(
  (value) => (isExactNumber(value) ? String(value) : value),
  textField({ max: 500 }),
)

function isExactNumber(value: unknown) {
  return typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value))
}

/**
 * Refuses keys that are equal after cleaning, since the last value would silently win.
 * @param notPairs the error for a value that is no object
 */
export function pairsField<Value extends z.ZodType>(value: Value, notPairs?: string) {
  return z
    .record(sentKey, value, notPairs)
    .superRefine(
      (pairs, context) => {
        for (const issue of listKeyIssues(Object.keys(toRecord(pairs)))) context.addIssue(issue)
      },
      // Runs even when values are wrong, so that one answer has all errors.
      { when: () => true },
    )
    .overwrite((pairs) =>
      Object.fromEntries(
        Object.entries(pairs).map(([sent, one]) => [cleanKey.safeParse(sent).data ?? sent, one]),
      ),
    )
}

const newPairs = pairsField(metadataValue)
  .refine(
    (pairs) => Object.keys(pairs).length <= 20,
    buildFieldRule('too_big', linkTexts.metadataTooMany),
  )
  // The limit holds twenty pairs of the longest ASCII text, and keeps a webhook below 20 kB.
  .refine(
    (pairs) => Buffer.byteLength(JSON.stringify(pairs)) <= MAX_METADATA_BYTES,
    buildFieldRule('too_big', linkTexts.metadataTooBig),
  )

/** Metadata of a new link; pairs without a value are dropped. */
export const Metadata = z
  .preprocess((sent) => dropNulls(emptyListAsPairs(sent)), newPairs)
  .meta(notes.metadata)

/** Metadata of changes: null removes a pair. */
export const MetadataChanges = z
  .preprocess(emptyListAsPairs, pairsField(metadataValue.nullable()))
  .meta({
    description: 'Os pares juntam-se aos que o link tem; `null` retira um par.',
    examples: [{ pedido: '1042', canal: null }],
  })

function dropNulls(sent: unknown) {
  if (!isRecord(sent) || Array.isArray(sent)) return sent
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
}

type KeyIssue = Exclude<Parameters<z.RefinementCtx['addIssue']>[0], string>

function listKeyIssues(keys: string[]) {
  const seen = new Set<string>()
  return keys.flatMap((sent): KeyIssue[] => {
    const { data: key, error } = cleanKey.safeParse(sent)
    if (error) return error.issues.map((issue) => ({ ...issue, path: [sent] }))
    const rule = buildFieldRule('repeated', linkTexts.metadataRepeated(key))
    const isRepeated = seen.has(key)
    seen.add(key)
    return isRepeated ? [{ code: 'custom', path: [key], ...rule }] : []
  })
}
