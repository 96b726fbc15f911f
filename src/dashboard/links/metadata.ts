// The pairs of a link's metadata in its form: names and values, row by row.
import { linkPageTexts } from './texts.ts'

export type MetadataPair = { key: string; value: string }

/** Ignores empty rows. */
export function readMetadataPairs(given: Record<string, unknown>): MetadataPair[] {
  const values = toStringList(given.metadataValue)
  return toStringList(given.metadataKey)
    .map((key, at) => ({ key: key.trim().normalize('NFC'), value: (values[at] ?? '').trim() }))
    .filter(({ key, value }) => key || value)
}

export function findMetadataError(pairs: readonly MetadataPair[]) {
  const names = pairs.map(({ key }) => key)
  if (names.includes('')) return linkPageTexts.namelessPair
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? undefined : linkPageTexts.repeatedPair(twice)
}

/** Reads a form field that may be missing, single or repeated. */
export function toStringList(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}
