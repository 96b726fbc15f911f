// Names the parts of a timeline that were already deleted, in a sentence for the company's users.
import type { Retention } from '../../config.ts'
import { DAY_MS } from '../../database/instant.ts'
import { memoizeValue } from '../../record.ts'
import { timelineTexts } from './texts.ts'

const getListFormat = memoizeValue(() => new Intl.ListFormat('pt-BR'))

/** Null when nothing was deleted. */
export function describeForgotten(
  createdAt: string,
  { mailsDays, eventsDays, stepsDays }: Retention,
  now: Date,
): string | null {
  const { kept, keptParts } = timelineTexts
  const ageMs = now.getTime() - Date.parse(createdAt)
  const parts = (
    [
      [mailsDays, keptParts.mails],
      [eventsDays, keptParts.events],
      [stepsDays, keptParts.steps],
    ] as const
  ).flatMap(([days, describe]) => (ageMs > days * DAY_MS ? [describe(days)] : []))
  return parts.length > 0 ? kept(getListFormat().format(parts)) : null
}
