// Keeps answers of the database in memory for as long as the database can tell us that they changed.
import { getEntries } from '../record.ts'
import type { Listener, NotifyChannel } from './notifications.ts'

type CacheOptions<Value> = {
  listener: Listener
  /** The channels that speak of what is cached, and which entries each message ends. */
  evict: Partial<Record<NotifyChannel, (value: Value, payload: string) => boolean>>
  maxEntries: number
}

type Cache<Value> = {
  (key: string): Promise<Value | undefined> | Value
  /** What would be answered without a load. */
  peek(key: string): Value | undefined
}

/**
 * Answers from memory, else by `load`; equal questions asked at once share one load. Nothing found
 * (`undefined`) is not cached. While the listener is not live every question goes to `load`.
 */
export function createCache<Value>(
  load: (key: string) => Promise<Value | undefined>,
  { listener, evict, maxEntries }: CacheOptions<Value>,
): Cache<Value> {
  const entries = new Map<string, Value>()
  const loading = new Map<string, Promise<Value | undefined>>()
  let changes = 0

  for (const [channel, ends] of getEntries(evict)) {
    listener.subscribe(channel, (payload) => {
      changes++
      loading.clear()
      if (payload === null) return entries.clear()
      for (const [key, value] of entries) if (ends(value, payload)) entries.delete(key)
    })
  }

  return Object.assign(find, {
    peek: (key: string) => (listener.isLive() ? entries.get(key) : undefined),
  })

  function find(key: string) {
    if (!listener.isLive()) return load(key)
    return entries.get(key) ?? loading.get(key) ?? loadOnce(key)
  }

  function loadOnce(key: string) {
    const before = changes
    const answer = load(key)
      .then((value) => {
        // What changed while we were reading may be what we read.
        if (value !== undefined && changes === before) storeEntry(key, value)
        return value
      })
      .finally(() => {
        if (loading.get(key) === answer) loading.delete(key)
      })
    loading.set(key, answer)
    return answer
  }

  function storeEntry(key: string, value: Value) {
    if (entries.size >= maxEntries) {
      const [oldest = key] = entries.keys()
      entries.delete(oldest)
    }
    entries.set(key, value)
  }
}
