import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { buildMinUuid, newId } from '../../src/database/id.ts'

test('ids made later sort later, however many there are in a millisecond', () => {
  const from = Date.now()

  const ids = Array.from({ length: 50_000 }, () => newId())

  expect(ids).toEqual([...new Set(ids)].sort())
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(ids.every((id) => id > buildMinUuid(from))).toBe(true)
})
