import { sanitizeJsonValue } from '../http/text.ts'

/** What a provider sent as JSON, with text that can be kept; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, sanitizeJsonValue)
  } catch {
    return undefined
  }
}
