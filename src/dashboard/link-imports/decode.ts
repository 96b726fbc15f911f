// The bytes of a file that people call CSV, as text: UTF-8 with or without a mark, or Windows-1252, which
// is what Excel writes in Brazil. What is something else is refused by a sentence that says what to do.
import { linkImportTexts } from './texts.ts'

type DecodeResult =
  | { kind: 'decoded'; text: string; isWindows1252: boolean }
  | { kind: 'refused'; message: string }

/** How files begin that are no text: of Excel new and old, and of "Texto Unicode" as it saves it. */
const WORKBOOK_STARTS = ['504b0304', 'd0cf11e0']
const UTF_16_STARTS = ['fffe', 'feff']
const NUL = 0

export function decodeCsv(bytes: Buffer): DecodeResult {
  const words = linkImportTexts.files
  const start = bytes.toString('hex', 0, 4)
  if (bytes.length === 0) return refuseFile(words.empty)
  if (WORKBOOK_STARTS.includes(start)) return refuseFile(words.workbook)
  if (UTF_16_STARTS.some((mark) => start.startsWith(mark))) return refuseFile(words.utf16)
  if (bytes.includes(NUL)) return refuseFile(words.noText)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { kind: 'decoded', text, isWindows1252: false }
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes)
    return { kind: 'decoded', text, isWindows1252: true }
  }
}

function refuseFile(message: string): DecodeResult {
  return { kind: 'refused', message }
}
