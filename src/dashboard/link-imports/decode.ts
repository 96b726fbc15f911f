// Decodes the bytes of a CSV file: UTF-8 with or without a byte order mark, or Windows-1252, which Excel writes in
// Brazil. Other content is refused with advice.
import { linkImportTexts } from './texts.ts'

type DecodeResult =
  | { kind: 'decoded'; text: string; isWindows1252: boolean }
  | { kind: 'refused'; message: string }

/** The first bytes of files that are no text: new and old Excel files, and "Texto Unicode" of Excel. */
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
