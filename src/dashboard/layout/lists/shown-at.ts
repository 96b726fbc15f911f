// The instant at which a list was shown, kept in its form: an action on the whole list applies to the rows of that
// instant.
import { storableInstantField } from '../../../http/fields.ts'

const ShownAt = storableInstantField()

/** Now, where that is no time, or one to come. */
export function readShownAt(typed: string | undefined, now: Date) {
  const { data } = ShownAt.safeParse(typed)
  const at = new Date(data ?? now)
  return at < now ? at : now
}
