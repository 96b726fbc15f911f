// How many rows a list has, in words: what there is for certain where it is long.

import { formatCount } from '../../../format.ts'
import { type CountResult, MAX_COUNTED } from '../../../http/pagination.ts'
import { listTexts } from './texts.ts'

type Noun = readonly [one: string, many: string]

/** `303 links`, `mais de 10.000 links`; null where nothing is known. */
export function formatTotal({ kind, count }: CountResult, [one, many]: Noun) {
  const { moreThan, atLeast } = listTexts
  const text = `${formatCount(count)} ${count === 1 ? one : many}`
  if (kind === 'exact') return text
  if (count === 0) return null
  return count === MAX_COUNTED ? moreThan(text) : atLeast(text)
}
