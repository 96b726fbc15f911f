// What a link's address brings along for the form: `?name=&email=&ref=`. What it may not be is passed over.
import { z } from 'zod'
import { EMAIL_MAX_LENGTH } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import { refField } from '../form-fields.ts'

const NAME_MAX_LENGTH = 120

const takeText = (max: number) => textField({ max }).catch('')

const Prefill = z.object({
  name: takeText(NAME_MAX_LENGTH),
  email: takeText(EMAIL_MAX_LENGTH),
  ref: refField,
})

const NOTHING: z.output<typeof Prefill> = { name: '', email: '', ref: null }

export function readPrefill(query: { name?: unknown; email?: unknown; ref?: unknown }) {
  // Nearly every address brings none, and is not read for it.
  const { name, email, ref } = query
  return name === undefined && email === undefined && ref === undefined
    ? NOTHING
    : Prefill.parse(query)
}
