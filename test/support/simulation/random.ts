// Random numbers that fall the same way every time.

import { requireFound } from '../../../src/database/found.ts'

export type SeededRandom = ReturnType<typeof createSeededRandom>

export function createSeededRandom(seed: number) {
  let state = seed
  const chance = (probability: number) => drawNumber() < probability
  /** A whole number of these two or between them. */
  const integer = (least: number, most: number) =>
    least + Math.floor(drawNumber() * (most - least + 1))
  const digits = (count: number) => `${integer(0, 10 ** count - 1)}`.padStart(count, '0')
  const pick = <T>(list: readonly T[]) => requireFound(list[integer(0, list.length - 1)])
  return { chance, integer, digits, pick, pickWeighted }

  /** Each as often as its weight says. */
  function pickWeighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T {
    let left = drawNumber() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    const found = choices.find(([, weight]) => {
      left -= weight
      return left < 0
    })
    return requireFound(found ?? choices[0])[0]
  }

  /** Mulberry32: from 0 up to, but not including, 1. */
  function drawNumber() {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}
