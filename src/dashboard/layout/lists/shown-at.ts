// The instant at which a list was shown, stored in its form: an action on the whole list applies to the rows of that
// instant.
import { storableInstantField } from '../../../http/fields.ts'

const ShownAt = storableInstantField()

/** Returns now for an invalid or future instant. */
export function readShownAt(typed: string | undefined, now: Date) {
  const { data } = ShownAt.safeParse(typed)
  const at = new Date(data ?? now)
  return at < now ? at : now
}
