// Carries the checked links in the page until the button is pressed, since the server stores nothing of a file
// before. The returned data are validated by the API's schemas, as any form.

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
  /** It seems to be a link already, and is made only when it is ticked. */
  isRepeated: z.boolean(),
  input: NewPaymentLink,
  customer: NewCustomer.transform(toPerson).nullable(),
})

const CheckedFile = z.object({
  /** Of the import: sent twice, the same links are meant. */
  id: z.uuid().toLowerCase(),
  name: FileName,
  links: z.array(CheckedLink).max(MAX_IMPORT_LINKS),
})

type CheckedFile = z.output<typeof CheckedFile>

/** A form with the largest file: its text packed and written in 64 letters. */
export const CHECKED_FILE_BYTES = 2 * IMPORT_FILE_BYTES
/** Two bytes for each letter of a file in Windows-1252, and a kilobyte for the names of the fields of each row. */
const MAX_UNPACKED_BYTES = 2 * IMPORT_FILE_BYTES + MAX_IMPORT_LINKS * 1_024

export function packFile(file: CheckedFile) {
  return gzipSync(JSON.stringify(file)).toString('base64url')
}

/** Undefined for what no page of ours carries. The guard of forms sees through no packing: cards are looked for here. */
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
