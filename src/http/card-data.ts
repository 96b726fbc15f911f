// Refuses requests with a card number or a security code in any field, before anything reads, stores or logs them.
// The answer names the field and does not repeat its value.
import type { FastifyInstance } from 'fastify'
import { containsCardNumber, maskCardNumbers } from '../card-numbers.ts'
import { texts } from '../texts.ts'
import { AppError } from './errors.ts'
import { isRecord } from './fields.ts'
import { isNetworkList } from './ip.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For routes that neither store nor show the body, and have ids that may look like card numbers. */
    mayHoldCardData?: true
  }
}

export const CARD_DATA_REFUSED = 'card_data_refused'

/** A value of 14 digits in this field is a CNPJ, valid or not; the field's own rule checks it. */
const DOCUMENT_FIELD = 'taxId'
const FOURTEEN_DIGITS = /^\D*(?:\d{14}|\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2})\D*$/

const FORBIDDEN_KEYS =
  /^(card_?number|number|pan|cvv2?|cvc2?|csc|cid|security_?code|cc-?(number|csc|cvv))$/i
/** Allowed in `metadata`, where companies choose the names, such as a campaign's id. */
const METADATA_KEYS = /^(number|pan|csc|cid)$/i
const METADATA_FIELD = 'metadata'
const MIN_CARD_NUMBER = 1e12
/** A body with more levels is refused, so that code that walks through a body needs no limit of its own. */
const MAX_NESTED_LEVELS = 32

/** Refuses every request of this scope that has card data in its body or query. */
export function refuseCardData(app: FastifyInstance) {
  app.addHook('preValidation', ({ body, query, routeOptions }, _reply, done) => {
    if (routeOptions.config.mayHoldCardData) return done()
    done(checkNesting(body) ?? findCardDataError(body) ?? findCardDataError(query))
  })
}

/** Returns the error for a request with this body or query; undefined when it holds no card data. */
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
 * Finds the path of the first field, at any depth, that has card data: a key that names it, or a card number in the key
 * or the value. Undefined when there is none.
 */
function findCardData(value: unknown, parent = ''): string[] | undefined {
  if (!isRecord(value)) return isCardNumber(value, parent) ? [] : undefined
  for (const key of listKeys(value)) {
    // In metadata a company may name its keys freely, so a key has no special meaning there.
    const name = parent === METADATA_FIELD ? '' : key
    const below = isForbiddenKey(key, parent) ? [] : findCardData(value[key], name)
    if (below) return [key, ...below]
  }
  return undefined
}

/** Lists no keys for a file: the code that reads the file checks its content. */
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
  // A list of IP addresses may have as many digits as a card number.
  return typeof value === 'string' && containsCardNumber(value) && !isNetworkList(value)
}

function isForbiddenKey(key: string, parent: string) {
  if (containsCardNumber(key)) return true
  return FORBIDDEN_KEYS.test(key) && !(parent === METADATA_FIELD && METADATA_KEYS.test(key))
}

function checkNesting(body: unknown) {
  if (!isDeeperThan(MAX_NESTED_LEVELS, body)) return undefined
  return new AppError(422, 'nested_too_deeply', texts.nestedTooDeeply(MAX_NESTED_LEVELS))
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (!isRecord(value)) return false
  return levels === 0 || Object.values(value).some((one) => isDeeperThan(levels - 1, one))
}
