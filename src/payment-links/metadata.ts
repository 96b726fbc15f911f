// A company's own pairs of text on a link, which its payments and webhooks carry.

import { z } from 'zod'
import { buildFieldRule } from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { notes } from './field-notes.ts'
import { linkTexts } from './texts.ts'

const MAX_METADATA_BYTES = 12_000

export const metadataKey = textField({ min: 1, max: 40 })
export const metadataValue = textField({ max: 500 })

export const Metadata = z
  .record(metadataKey, metadataValue)
  .refine(
    (pairs) => Object.keys(pairs).length <= 20,
    buildFieldRule('too_big', linkTexts.metadataTooMany),
  )
  // Twenty pairs of the longest ASCII fit; a webhook that carries them stays under 20 kB.
  .refine(
    (pairs) => Buffer.byteLength(JSON.stringify(pairs)) <= MAX_METADATA_BYTES,
    buildFieldRule('too_big', linkTexts.metadataTooBig),
  )
  .meta(notes.metadata)
