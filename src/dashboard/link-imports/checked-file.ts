// Keeps the checked links in the page until the button is pressed, since the server stores nothing of the file before.
// The returned data are validated by the API's schemas, like any form.

import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { NewCustomer } from '../../customers/schema.ts'
import { containsCardData } from '../../http/card-data.ts'
import { textField } from '../../http/text.ts'
import { MAX_IMPORT_LINKS } from '../../payment-links/batch/import.ts'
import { NewPaymentLink } from '../../payment-links/schema.ts'
import { toPerson } from './customer.ts'
import { IMPORT_FILE_BYTES } from './file.ts'

export const FileName = textField({ min: 1, max: 128 })

const CheckedLink = z.object({
  line: z.int(),
  /** The row seems to exist as a link, and is created only when it is ticked. */
  isRepeated: z.boolean(),
  input: NewPaymentLink,
  customer: NewCustomer.transform(toPerson).nullable(),
})

const CheckedFile = z.object({
  /** The id of the import: a repeated form means the same links. */
  id: z.uuid().toLowerCase(),
  name: FileName,
  links: z.array(CheckedLink).max(MAX_IMPORT_LINKS),
})

type CheckedFile = z.output<typeof CheckedFile>

/** The size of a form with the largest file: compressed, in base64. */
export const CHECKED_FILE_BYTES = 2 * IMPORT_FILE_BYTES
/** Two bytes for each letter of a file in Windows-1252, and a kilobyte for the field names of each row. */
const MAX_UNPACKED_BYTES = 2 * IMPORT_FILE_BYTES + MAX_IMPORT_LINKS * 1_024

export function packFile(file: CheckedFile) {
  return gzipSync(JSON.stringify(file)).toString('base64url')
}

/** Undefined for data of other pages. Looks for card numbers, which the general check cannot see in them. */
export function unpackFile(packed: unknown): CheckedFile | undefined {
  const { data: file } = CheckedFile.safeParse(readPacked(packed))
  return file && containsCardData([file.name, file.links]) ? undefined : file
}

function readPacked(packed: unknown): unknown {
  if (typeof packed !== 'string') return undefined
  try {
    const bytes = Buffer.from(packed, 'base64url')
    return JSON.parse(gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).toString())
  } catch {
    return undefined
  }
}
