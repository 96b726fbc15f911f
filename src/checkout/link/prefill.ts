// What a link's address brings along for the form: `?name=&email=&ref=`. What it may not be is passed over.
import { z } from 'zod'
import { EMAIL_MAX_LENGTH, toRecord } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import { refField } from '../form.ts'

const NAME_MAX_LENGTH = 120

const takeText = (max: number) => textField({ max }).catch('')

const Prefill = z.object({
  name: takeText(NAME_MAX_LENGTH),
  email: takeText(EMAIL_MAX_LENGTH),
  ref: refField,
})

/** Whether a form opened at this address is another than the link's own. */
export function changesForm({ method, name, email, ref }: Record<string, unknown>) {
  return (method ?? name ?? email ?? ref) !== undefined
}

export function readPrefill(query: unknown) {
  return Prefill.parse(toRecord(query))
}
