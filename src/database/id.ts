import { customAlphabet } from 'nanoid'
import { v7 } from 'uuid'

/** A UUIDv7: ids made later sort later, so a list is paged by its primary key. */
export function newId() {
  return v7()
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether Postgres may be asked about it; of anything else it only says that it is no id. */
export function isId(text: string) {
  return ID.test(text)
}

/** Ten characters of 57 that nobody mistakes for one another: 58 bits from a CSPRNG. */
export const newSlug = customAlphabet(
  '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  10,
)

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 24 characters, 142 bits from a CSPRNG: for what must not be guessed, such as a payment's URL. */
export const newToken = customAlphabet(ALPHANUMERIC, 24)
