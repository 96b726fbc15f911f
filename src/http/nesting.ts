// How deeply what is sent may be nested: whoever walks through it needs no limit of its own.
import { texts } from '../texts.ts'
import { AppError } from './errors.ts'
import { isRecord } from './fields.ts'

const MAX_LEVELS = 32

/** The refusal of what is nested deeper, if it is. */
export function checkNesting(body: unknown) {
  if (!isDeeperThan(MAX_LEVELS, body)) return undefined
  return new AppError(422, 'nested_too_deeply', texts.nestedTooDeeply(MAX_LEVELS))
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (!isRecord(value)) return false
  return levels === 0 || Object.values(value).some((one) => isDeeperThan(levels - 1, one))
}
