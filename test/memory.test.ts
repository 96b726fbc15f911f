import { expect, test } from 'vitest'
import { createRushWatch } from '../src/memory.ts'

const RUSH = 6_000
const SOME = 900
const QUIET = 110

test('memory is given back twice when a rush is over, and not before it is', () => {
  const isDue = createRushWatch()

  expect([RUSH, RUSH, SOME, QUIET, QUIET, QUIET].map(isDue)).toEqual([
    ...[false, false, false],
    ...[true, true, false],
  ])
})

test('what collecting takes of a processor is no rush', () => {
  const isDue = createRushWatch()

  expect([RUSH, QUIET, SOME, QUIET, SOME, QUIET].map(isDue)).toEqual([
    ...[false, true, false],
    ...[true, false, false],
  ])
})

test('who is never in a rush is never held up', () => {
  const isDue = createRushWatch()

  expect(Array.from({ length: 50 }, (_, i) => isDue(i % 2 ? QUIET : SOME))).not.toContain(true)
})

test('on a slow machine, where the workers alone take more, a rush is over too', () => {
  const isDue = createRushWatch()
  const idle = 600

  expect([idle, RUSH, 2 * idle + 1, idle, idle + 100, idle].map(isDue)).toEqual([
    ...[false, false, false],
    ...[true, true, false],
  ])
})
