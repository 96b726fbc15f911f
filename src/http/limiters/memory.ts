// Counts in this process alone, in bounded memory, and never forgets a window that still counts. What gives
// way when there are too many of one kind (the part of a key before its first colon) is the newcomers' own
// window: they share some of them. A shared one is full sooner, so that a flood of addresses can make a new
// address of that kind wait, but lets nobody do more, and touches neither known addresses nor other kinds.
import { crc32 } from 'node:zlib'
import type { Limit, LimitCount, Limiter } from '../limiter.ts'

const MAX_WINDOWS = 50_000
const SHARED_WINDOWS = 4_096

type WindowHit = { at: number; what: string | undefined }

/** Of one kind and length, ordered by their newest hit: those that are over stand in front. */
type WindowPool = {
  windowMs: number
  windows: Map<string, WindowHit[]>
  /** False while no window can have been shared. */
  mayBeShared: boolean
}

export type CountedWindow = { key: string; windowMs: number; hits: WindowHit[] }

type MemoryLimiter = Limiter & {
  /** What was let through and still counts, but for what shares a window. */
  listWindows(): CountedWindow[]
}

/** Of the wall's clock, which may be set back, a window that was full would stay so for as long. */
export const readSteadyMs = () => Math.floor(performance.now())

export function createMemoryLimiter(now: () => number = readSteadyMs): MemoryLimiter {
  const pools = new Map<string, WindowPool>()
  return {
    countHit: async (key, limit, what) => countInWindow(key, limit, { at: now(), what }),
    undoHit: async (key) => undoInPools(key),
    listWindows: () => [...pools.values()].flatMap((pool) => listPoolWindows(pool, now())),
    close: async () => {},
  }

  function countInWindow(key: string, { max, windowMs }: Limit, hit: WindowHit): LimitCount {
    const pool = openPool(key, windowMs)
    dropOldWindows(pool, hit.at)
    const name = chooseWindow(pool, key)
    const hits = dropHitsBefore(pool.windows.get(name) ?? [], hit.at - windowMs)
    const again = hit.what !== undefined && hits.some(({ what }) => what === hit.what)
    if (again) return { exceeded: false, current: hits.length, retryAfterMs: windowMs }
    const [oldest] = hits
    if (oldest && hits.length >= max) {
      const retryAfterMs = oldest.at + windowMs - hit.at
      return { exceeded: true, current: hits.length, retryAfterMs }
    }
    hits.push(hit)
    pool.windows.delete(name)
    pool.windows.set(name, hits)
    return { exceeded: false, current: hits.length, retryAfterMs: windowMs }
  }

  function openPool(key: string, windowMs: number) {
    const name = `${windowMs} ${getKind(key)}`
    const known = pools.get(name)
    if (known) return known
    const pool: WindowPool = { windowMs, windows: new Map(), mayBeShared: false }
    pools.set(name, pool)
    return pool
  }

  function undoInPools(key: string) {
    const shared = getSharedName(key)
    const findPool = (name: string) => [...pools.values()].find(({ windows }) => windows.has(name))
    const [pool, name] = findPool(key) ? [findPool(key), key] : [findPool(shared), shared]
    const hits = pool?.windows.get(name)
    hits?.pop()
    // What never counted keeps no other key out.
    if (hits?.length === 0) pool?.windows.delete(name)
  }
}

/** `pay` of `pay:…`; keys without a colon are of one kind. */
function getKind(key: string) {
  return key.slice(0, Math.max(key.indexOf(':'), 0))
}

/** Once a key shares a window it does so until that one is over, or it would begin anew. */
function chooseWindow(pool: WindowPool, key: string) {
  const { windows } = pool
  pool.mayBeShared ||= windows.size >= MAX_WINDOWS
  if (!pool.mayBeShared || windows.has(key)) return key
  const shared = getSharedName(key)
  return windows.size >= MAX_WINDOWS || windows.has(shared) ? shared : key
}

/** Begins with a blank, as no key does. */
function getSharedName(key: string) {
  return ` ${getKind(key)} ${crc32(key) % SHARED_WINDOWS}`
}

function dropOldWindows({ windows, windowMs }: WindowPool, at: number) {
  for (const [name, hits] of windows) {
    const newest = hits.at(-1)
    if (newest && newest.at > at - windowMs) return
    windows.delete(name)
  }
}

/** Forgets those before. */
function dropHitsBefore(hits: WindowHit[], since: number) {
  const firstInside = hits.findIndex((hit) => hit.at > since)
  hits.splice(0, firstInside === -1 ? hits.length : firstInside)
  return hits
}

function listPoolWindows({ windows, windowMs }: WindowPool, at: number): CountedWindow[] {
  return [...windows]
    .filter(([key]) => !key.startsWith(' '))
    .map(([key, hits]) => ({ key, windowMs, hits: dropHitsBefore(hits, at - windowMs) }))
    .filter(({ hits }) => hits.length > 0)
}
