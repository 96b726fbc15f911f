// Where a payer came from, from the address of the page: `?ref=&utm_source=`. The form has it in hidden fields of the
// same names, and the payment keeps it. An invalid value is ignored, and never a reason to refuse a payment.

import { z } from 'zod'
import { UTM_NAMES } from '../database/enums.ts'
import type { Utm } from '../database/tables.ts'
import { containsCardData } from '../http/card-data.ts'
import { removePastedMarks, textField } from '../http/text.ts'

const MAX_REF_LENGTH = 64
const MAX_UTM_BYTES = 100

/** If a field is sent twice, its first value counts. A value that is no text counts as missing. */
export const takeFirst = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value[0] : value), schema)

/** An invalid text counts as missing, and so does a possible card number. */
export const looseText = (max: number, clean = (text: string) => text) =>
  takeFirst(
    textField({ max, clean: (text) => clean(decodeRest(text)) })
      .refine((text) => !containsCardData(text))
      .catch(''),
  )

/** Decodes a text that was encoded twice, or as ISO 8859-1 by an old system: a browser passes both on unchanged. */
function decodeRest(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%([89A-F][\dA-F])/gi, (_, hex) => String.fromCharCode(Number(`0x${hex}`)))
  }
}

/** A campaign name may be cut, since its beginning identifies it. A cut `ref` would be another name, so it is ignored. */
const utmText = looseText(MAX_UTM_BYTES, (text) =>
  Buffer.from(removePastedMarks(text))
    .subarray(0, MAX_UTM_BYTES)
    .toString()
    .replace(/\ufffd+$/, ''),
)

export const originFields = {
  ref: looseText(MAX_REF_LENGTH),
  utm_source: utmText,
  utm_medium: utmText,
  utm_campaign: utmText,
  utm_term: utmText,
  utm_content: utmText,
}
const Origin = z.object(originFields)
type Origin = z.output<typeof Origin>

type KeptOrigin = { ref: string | null; utm: Utm | null }

/** The origin as a payment keeps it. */
export function toKeptOrigin({ ref, ...said }: Origin): KeptOrigin {
  const utm = UTM_NAMES.flatMap((name) => {
    const value = said[`utm_${name}`]
    return value ? [[name, value]] : []
  })
  return { ref: ref || null, utm: utm.length > 0 ? Object.fromEntries(utm) : null }
}

/** The parameters of an address, or the fields of a form. */
export function readOrigin(query: object) {
  return listOriginFields(toKeptOrigin(Origin.parse(query)))
}

/** The form's hidden fields. */
export function listOriginFields({ ref, utm }: KeptOrigin) {
  const said = Object.entries(utm ?? {}).map(([name, value]) => ({ name: `utm_${name}`, value }))
  return ref === null ? said : [{ name: 'ref', value: ref }, ...said]
}
