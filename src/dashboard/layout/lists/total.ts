// The number of rows of a list in words; for a long list, a lower bound.

import { formatCount } from '../../../format.ts'
import type { CountResult } from '../../../lists/page.ts'
import { listTexts } from './texts.ts'

type Noun = readonly [one: string, many: string]

/** Formats `303 links` or `mais de 10.000 links`. */
export function formatTotal({ kind, count }: CountResult, [one, many]: Noun) {
  const text = `${formatCount(count)} ${count === 1 ? one : many}`
  return kind === 'exact' ? text : listTexts.moreThan(text)
}
