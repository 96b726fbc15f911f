// Keeps answers of the database in memory for as long as the database can tell us that they changed.
import type { Channel, Listener } from './notifications.ts'

type Options<Value> = {
  listener: Listener
  /** The channels that speak of what is remembered, and which entries each message ends. */
  forget: Partial<Record<Channel, (value: Value, payload: string) => boolean>>
  max: number
}

/**
 * Answers from memory, else by `load`; equal questions asked at once share one load. Nothing found
 * (`undefined`) is not remembered. While the listener is not live every question goes to `load`.
 */
export function remember<Value>(
  load: (key: string) => Promise<Value | undefined>,
  { listener, forget, max }: Options<Value>,
): (key: string) => Promise<Value | undefined> | Value {
  const known = new Map<string, Value>()
  const loading = new Map<string, Promise<Value | undefined>>()
  let changes = 0

  for (const [channel, ends] of Object.entries(forget)) {
    listener.on(channel as Channel, (payload) => {
      changes++
      loading.clear()
      if (payload === null) return known.clear()
      for (const [key, value] of known) if (ends(value, payload)) known.delete(key)
    })
  }

  return (key) => {
    if (!listener.isLive()) return load(key)
    return known.get(key) ?? loading.get(key) ?? loadOnce(key)
  }

  function loadOnce(key: string) {
    const before = changes
    const answer = load(key)
      .then((value) => {
        // What changed while we were reading may be what we read.
        if (value !== undefined && changes === before) keep(key, value)
        return value
      })
      .finally(() => {
        if (loading.get(key) === answer) loading.delete(key)
      })
    loading.set(key, answer)
    return answer
  }

  function keep(key: string, value: Value) {
    if (known.size >= max) {
      const [oldest = key] = known.keys()
      known.delete(oldest)
    }
    known.set(key, value)
  }
}
