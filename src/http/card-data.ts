// No card number and no security code may reach us, in any field of any request. What looks like one
// is refused before anything reads, stores or logs it; the answer names the field and repeats nothing.
import type { FastifyInstance } from 'fastify'
import { containsCardNumber, maskCardNumbers } from '../card-numbers.ts'
import { texts } from '../texts.ts'
import { AppError } from './errors.ts'
import { isRecord } from './fields.ts'
import { isNetworkList } from './ip.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What comes in is neither kept nor shown, and its ids may look like numbers of cards. */
    mayHoldCardData?: true
  }
}

export const CARD_DATA_REFUSED = 'card_data_refused'

/** Here fourteen digits written as a CNPJ are one, or a wrong one: the field's own rule says so. */
const DOCUMENT_FIELD = 'taxId'
const FOURTEEN_DIGITS = /^\D*(?:\d{14}|\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2})\D*$/

const FORBIDDEN_KEYS =
  /^(card_?number|number|pan|cvv2?|cvc2?|csc|cid|security_?code|cc-?(number|csc|cvv))$/i
/** A company's own names for other things: a campaign's id, a number of its own. */
const METADATA_KEYS = /^(number|pan|csc|cid)$/i
const METADATA_FIELD = 'metadata'
const MIN_CARD_NUMBER = 1e12
/** Whoever walks through what is sent needs no limit of its own. */
const MAX_NESTED_LEVELS = 32

/** Refuses every request of this scope whose body or query holds card data. */
export function refuseCardData(app: FastifyInstance) {
  app.addHook('preValidation', ({ body, query, routeOptions }, _reply, done) => {
    if (routeOptions.config.mayHoldCardData) return done()
    done(checkNesting(body) ?? findCardDataError(body) ?? findCardDataError(query))
  })
}

/** What a request is refused by whose body or query this is; undefined of one that holds no card data. */
export function findCardDataError(value: unknown) {
  const path = findCardData(value)
  if (!path) return undefined
  const field = path.map(maskCardNumbers).join('.')
  const { cardDataRefused: message } = texts
  const errors = field ? [{ field, code: 'card_data', message }] : undefined
  return new AppError(422, CARD_DATA_REFUSED, message, errors && { errors })
}

export function isCardDataRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.code === CARD_DATA_REFUSED
}

export function containsCardData(value: unknown) {
  return findCardData(value) !== undefined
}

/**
 * Where a key names card data or a text, number or key holds a card number, at any depth: the names of the
 * fields from the outside in. Undefined where there is none.
 */
function findCardData(value: unknown, parent = ''): string[] | undefined {
  if (!isRecord(value)) return isCardNumber(value, parent) ? [] : undefined
  for (const key of listKeys(value)) {
    // A company's own pair may be called as it likes, and nothing else looks at it.
    const name = parent === METADATA_FIELD ? '' : key
    const below = isForbiddenKey(key, parent) ? [] : findCardData(value[key], name)
    if (below) return [key, ...below]
  }
  return undefined
}

/** Of a file none: the code that reads the file judges what it holds. */
function listKeys(value: object) {
  return Buffer.isBuffer(value) ? [] : Object.keys(value)
}

function isDocument(value: unknown, field: string) {
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && field === DOCUMENT_FIELD && FOURTEEN_DIGITS.test(`${value}`)
}

function isCardNumber(value: unknown, field: string) {
  if (isDocument(value, field)) return false
  if (typeof value === 'number') return value > MIN_CARD_NUMBER && containsCardNumber(`${value}`)
  // Addresses of one below the other have as many digits.
  return typeof value === 'string' && containsCardNumber(value) && !isNetworkList(value)
}

function isForbiddenKey(key: string, parent: string) {
  if (containsCardNumber(key)) return true
  return FORBIDDEN_KEYS.test(key) && !(parent === METADATA_FIELD && METADATA_KEYS.test(key))
}

/** The refusal of what is nested deeper than anything of ours, if it is. */
function checkNesting(body: unknown) {
  if (!isDeeperThan(MAX_NESTED_LEVELS, body)) return undefined
  return new AppError(422, 'nested_too_deeply', texts.nestedTooDeeply(MAX_NESTED_LEVELS))
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (!isRecord(value)) return false
  return levels === 0 || Object.values(value).some((one) => isDeeperThan(levels - 1, one))
}
