// When a list was shown, as its form carries it along: what is done to all of it is done to what it had then.
import { storableInstantField } from '../../../http/fields.ts'

const ShownAt = storableInstantField()

/** Now, where that is no time, or one to come. */
export function readShownAt(typed: string | undefined, now: Date) {
  const { data } = ShownAt.safeParse(typed)
  const at = new Date(data ?? now)
  return at < now ? at : now
}
