// Random numbers that fall the same way every time, so that two demonstrations tell the same story.

export type SeededRandom = ReturnType<typeof createSeededRandom>

export function createSeededRandom(seed: number) {
  let state = seed
  return { chance, integer, pick, weighted, digits }

  /** Mulberry32: from 0 up to, but not including, 1. */
  function next() {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }

  function chance(probability: number) {
    return next() < probability
  }

  /** A whole number of these two or between them. */
  function integer(least: number, most: number) {
    return least + Math.floor(next() * (most - least + 1))
  }

  function pick<T>(list: readonly T[]): T {
    return list[Math.floor(next() * list.length)]!
  }

  /** One of the values, each as often as its weight says. */
  function weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T {
    let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of choices) {
      left -= weight
      if (left < 0) return value
    }
    return choices.at(-1)![0]
  }

  function digits(count: number) {
    return Array.from({ length: count }, () => integer(0, 9)).join('')
  }
}
