// How often the source tells the compiler what to believe.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Lower these whenever there are fewer. */
const MAX_NON_NULL = 38
const MAX_CASTS = 108

const SRC = join(import.meta.dirname, '../src')
const code = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(SRC, file), 'utf8'))
  .map((source) => source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))

const countAll = (pattern: RegExp) => code.flatMap((file) => file.match(pattern) ?? []).length

test('values are asserted to be there no more often than they were', () => {
  const asserted = /(?<=[\w)\]])!(?=[.,;)\]}[(]|$| (?:[-:?*+/%&|<>=]|as\b))/gm

  expect(countAll(asserted)).toBeLessThanOrEqual(MAX_NON_NULL)
})

test('types are cast no more often than they were', () => {
  const cast = /(?<=[\w)\]}] )as (?:unknown|never|keyof|typeof|[A-Z]|[{[])/g

  expect(countAll(cast)).toBeLessThanOrEqual(MAX_CASTS)
})
