// What of a timeline is no longer kept, in a sentence for the people of the company.
import type { Retention } from '../../config.ts'
import { DAY_MS } from '../../database/instant.ts'
import { memoizeValue } from '../../record.ts'
import { timelineTexts } from './texts.ts'

const getListFormat = memoizeValue(() => new Intl.ListFormat('pt-BR'))

/** Null while all of it is there. */
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
