import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import {
  buildMaxUuid,
  buildMinUuid,
  createIdSource,
  newId,
  newIdAt,
} from '../../src/database/id.ts'
import { HOUR_MS } from '../../src/database/instant.ts'

test('ids made later sort later, however many there are in a millisecond', () => {
  const from = Date.now()

  const ids = Array.from({ length: 50_000 }, () => newId())

  expect(ids).toEqual([...new Set(ids)].sort())
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(ids.every((id) => id > buildMinUuid(from))).toBe(true)
})

test('ids are of the clock’s time again once it was set back by an hour', () => {
  const at = Date.UTC(2026, 10, 24)
  let nowMs = at + HOUR_MS
  const newIdThen = createIdSource(() => nowMs)
  newIdThen()

  nowMs = at
  const ids = [newIdThen(), newIdThen()]

  expect(ids).toEqual(ids.toSorted())
  expect(ids.every((id) => buildMinUuid(at) <= id && id <= buildMaxUuid(at))).toBe(true)
})

test('a clock that goes back by less than a second puts no id before another', () => {
  const at = Date.UTC(2026, 10, 24)
  const times = [0, -400, -999, 50]

  const newIdThen = createIdSource(() => at + times.shift()!)
  const ids = Array.from({ length: 4 }, () => newIdThen())

  expect(ids).toEqual(ids.toSorted())
})

test('an id of an instant lies among those of its millisecond, and is another each time', () => {
  const at = Date.UTC(2026, 0, 1)

  const ids = Array.from({ length: 1_000 }, () => newIdAt(at))

  expect(new Set(ids).size).toBe(1_000)
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(ids.every((id) => buildMinUuid(at) <= id && id <= buildMaxUuid(at))).toBe(true)
})
