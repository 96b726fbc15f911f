import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { buildMaxUuid, buildMinUuid, newId, newIdAt } from '../../src/database/id.ts'

test('ids made later sort later, however many there are in a millisecond', () => {
  const from = Date.now()

  const ids = Array.from({ length: 50_000 }, () => newId())

  expect(ids).toEqual([...new Set(ids)].sort())
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(ids.every((id) => id > buildMinUuid(from))).toBe(true)
})

test('an id of an instant lies among those of its millisecond, and is another each time', () => {
  const at = Date.UTC(2026, 0, 1)

  const ids = Array.from({ length: 1_000 }, () => newIdAt(at))

  expect(new Set(ids).size).toBe(1_000)
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(ids.every((id) => buildMinUuid(at) <= id && id <= buildMaxUuid(at))).toBe(true)
})
