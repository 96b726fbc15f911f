// Normalizes answers and notifications of providers before a schema reads them, since banks write the same thing in
// many ways. A value with two possible meanings is refused, not guessed.
import { z } from 'zod'
import { isRecord } from '../http/fields.ts'
import { parseJson } from './call.ts'

/** More levels than any answer has. */
const MAX_DEPTH = 12
const MAX_WRAPPERS = 4
const MAX_ITEMS = 10_000

/**
 * Parses JSON of a provider: fields get the names of `names` in any spelling (`txId`, `total_amount`), and null or
 * blank ones are removed. Undefined when it is no JSON.
 */
export function readAnswer(text: string, names: readonly string[]): unknown {
  return normalizeValue(parseJson(text), buildSpelling(names), 0)
}

/**
 * Finds the record that has one of these fields: some providers wrap it (`{"data": {…}, "meta": {…}}`), or put it into
 * a list of one. `status` does not count, since the wrapper may have one too.
 */
export function unwrapRecord(value: unknown, fields: readonly string[]): unknown {
  const signs = fields.filter((name) => name !== 'status')
  if (signs.length === 0) return value
  const isFound = (one: unknown) => isRecord(one) && signs.some((name) => Object.hasOwn(one, name))
  let at = value
  for (let depth = 0; depth < MAX_WRAPPERS && isRecord(at) && !isFound(at); depth++) {
    const records = Object.values(at).filter(isRecord)
    const found = records.filter(isFound)
    const [inner, ...others] = found.length === 1 ? found : records
    const isAnother = !inner || others.length > 0 || (Array.isArray(at) && !isFound(inner))
    if (isAnother) return at
    at = inner
  }
  return at
}

/** A successful answer with unexpected content. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
  /** The fields that could not be read. */
  readonly field: string

  constructor(from: string, field: string) {
    super(`The answer of ${from} could not be read: ${field}`)
    this.field = field
  }
}

type Answer = {
  /** A value as readAnswer returns it. */
  value: unknown
  /** The provider's name, for the log. */
  from: string
  /** The field name for an answer that is only a list. */
  list?: string
  onUnreadable?: ((field: string) => void) | undefined
}

/** Reads an answer by its schema. Throws UnreadableAnswer, after calling `onUnreadable`. */
export function parseAnswer<S extends z.ZodObject>(
  shape: S,
  { value, from, list = 'items', onUnreadable }: Answer,
): z.output<S> {
  const answer = unwrapRecord(value, Object.keys(shape.shape))
  const read = shape.safeParse(Array.isArray(answer) ? { [list]: answer } : answer)
  if (read.success) return read.data
  const field = nameUnreadable(read.error)
  // An answer that is not JSON comes from a gateway.
  if (value !== undefined) onUnreadable?.(field)
  throw new UnreadableAnswer(from, field)
}

/** A list with items that are read one by one, so that an unreadable item does not hide the others. */
export type ReadList<T> = { items: T[]; unreadable: UnreadableItem[] }
export type UnreadableItem = { value: Record<string, unknown>; field: string }

/** Accepts one item instead of a list, and a missing field for an empty list. */
export function listOf<T>(item: z.ZodType<T>) {
  const given = z.unknown().optional()
  return given.transform((value): ReadList<T> => {
    const records = [value].flat().filter(isRecord).slice(0, MAX_ITEMS)
    const all = records.map((record) => ({ record, read: item.safeParse(record) }))
    return {
      items: all.flatMap(({ read }) => (read.success ? [read.data] : [])),
      unreadable: all.flatMap(({ record, read }) =>
        read.success ? [] : [{ value: record, field: nameUnreadable(read.error) }],
      ),
    }
  })
}

/** Names the fields that could not be read, for people. */
export function nameUnreadable({ issues }: z.ZodError) {
  const paths = issues.map(({ path }) => path.join('.') || 'body')
  return [...new Set(paths)].slice(0, 5).join(', ')
}

/** A decimal amount, as cents. */
export const reportedAmount = z.unknown().transform((value, context) => {
  const cents = parseAmountCents(value)
  if (cents !== undefined) return cents
  context.addIssue('not an amount')
  return z.NEVER
})

/** An instant, in our format. */
export const reportedInstant = z.unknown().transform((value, context) => {
  const at = parseInstant(value)
  if (at !== undefined) return at
  context.addIssue('not an instant')
  return z.NEVER
})

/** An amount in cents, which some write as text; outgoing amounts may be negative. */
export const reportedCents = z
  .union([z.number(), z.string().regex(/^-?\d{1,15}(\.0+)?$/)])
  .transform(Number)
  .refine(Number.isSafeInteger)

/** A status such as `PENDENTE` in any spelling, also an unknown one. */
export const reportedStatus = z
  .string()
  .max(60)
  .transform((value) => stripAccents(value).toUpperCase().replace(/\W+/g, '_'))

/** An id, which some write as a number. */
export const reportedId = z.union([z.string(), z.int().transform(String)])

const AMOUNT_PATTERNS = [
  // 19.90, 19,90, 19.9, 19
  /^(\d+)(?:[.,](\d{1,2}))?$/,
  // 19.900: a point is decimal, as banks write it. A comma could separate thousands.
  /^(\d+)\.(\d\d)0+$/,
  /^(\d+),(\d\d)00+$/,
  // 1,234.50 and 1.234,50
  /^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})0*$/,
  /^(\d{1,3}(?:\.\d{3})+),(\d{1,2})0*$/,
  // 1,234,567 and 1.234.567
  /^(\d{1,3}(?:,\d{3}){2,})$/,
  /^(\d{1,3}(?:\.\d{3}){2,})$/,
]
const EXPONENT_PATTERN = /^\d+(\.\d+)?e[+-]?\d{1,2}$/i
const MAX_WHOLE_DIGITS = 10

/** Reads an amount from a text, a number or an object or list of one; only with integers. Undefined when ambiguous. */
export function parseAmountCents(value: unknown, depth = 0): number | undefined {
  if (isRecord(value)) {
    return depth < MAX_WRAPPERS ? parseAmountCents(getInnerAmount(value), depth + 1) : undefined
  }
  if (typeof value === 'number') return parseNumberCents(value)
  if (typeof value !== 'string') return undefined
  const text = value.replace(/^\s*(R\$|BRL)|\s/gi, '')
  if (EXPONENT_PATTERN.test(text)) return parseNumberCents(Number(text))
  const found = AMOUNT_PATTERNS.map((pattern) => pattern.exec(text)).find((match) => match !== null)
  if (!found) return undefined
  const [, whole = '', part = ''] = found
  const digits = whole.replace(/\D/g, '')
  if (digits.length > MAX_WHOLE_DIGITS) return undefined
  return Number(digits) * 100 + Number(part.padEnd(2, '0'))
}

function getInnerAmount(value: Record<string, unknown>) {
  if (Array.isArray(value)) return value.length === 1 ? value[0] : undefined
  return value.original ?? value.valor ?? value.value ?? value.amount
}

/** Accepts the rounding error of a binary fraction. */
function parseNumberCents(value: number) {
  const rounded = Number(value.toFixed(2))
  const isCents = value >= 0 && value < 10 ** MAX_WHOLE_DIGITS && Math.abs(value - rounded) < 1e-6
  return isCents ? Math.round(rounded * 100) : undefined
}

const TIME = String.raw`(?:,?[T ]\s*(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?`
const ZONE = String.raw`\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?(?:\[[^\]]*\])?`
const YEAR_FIRST = new RegExp(`^(\\d{4})[-/](\\d\\d)[-/](\\d\\d)${TIME}${ZONE}$`, 'i')
const DAY_FIRST = new RegExp(`^(\\d\\d)[-/](\\d\\d)[-/](\\d{4})${TIME}${ZONE}$`, 'i')
const EPOCH_PATTERN = /^(\d{10}|\d{13})$/
const OWN_ZONE = '-03:00'

/** Reads an instant. Without a zone it is Brasília's time, and without a time the beginning of the day. */
export function parseInstant(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim().slice(0, 80)
  if (EPOCH_PATTERN.test(text)) return new Date(Number(text.padEnd(13, '0'))).toISOString()
  const byYear = YEAR_FIRST.exec(text)?.slice(1)
  const byDay = DAY_FIRST.exec(text)?.slice(1)
  const [year, month, day] = byYear ?? byDay?.slice(0, 3).toReversed() ?? []
  const [hour = '0', minute = '00', second = '00', part = '', zone] =
    (byYear ?? byDay)?.slice(3) ?? []
  const time = `${hour.padStart(2, '0')}:${minute}:${second}.${part.slice(0, 3).padEnd(3, '0')}`
  const at = new Date(`${year}-${month}-${day}T${time}${normalizeZone(zone)}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** Normalizes `+0000`, `-03` and `utc` for Date. */
function normalizeZone(zone: string | undefined) {
  if (!zone) return OWN_ZONE
  if (/^[a-z]/i.test(zone)) return 'Z'
  const digits = zone.replace(':', '').padEnd(5, '0')
  return `${digits.slice(0, 3)}:${digits.slice(3)}`
}

/** Reads the minute of a Pix, in UTC, from its end-to-end id. */
export function readEndToEndInstant(endToEndId: string): string | undefined {
  const minute = /^E\d{8}(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)/i.exec(endToEndId)
  const [, year, month, day, hour, at] = minute ?? []
  return parseInstant(`${year}-${month}-${day}T${hour}:${at}Z`)
}

/** Writes our ids in lower case, as we do; other ids stay as they are. */
export function toOwnCase(id: string) {
  return /^[0-9a-f-]{32,36}$/i.test(id) ? id.toLowerCase() : id
}

/** Compares ids, since some providers change the case of ours. */
export function equalsIgnoringCase(one: string | null | undefined, other: string) {
  return one?.toLowerCase() === other.toLowerCase()
}

type Spelling = ReadonlyMap<string, string>

function buildSpelling(names: readonly string[]): Spelling {
  return new Map(names.map((name) => [normalizeName(name), name]))
}

function normalizeName(name: string) {
  return stripAccents(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

function stripAccents(text: string) {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}

function normalizeValue(value: unknown, spelling: Spelling, depth: number): unknown {
  if (typeof value === 'string') return value.trim() || undefined
  if (typeof value !== 'object') return value
  if (value === null || depth > MAX_DEPTH) return undefined
  const normalize = (inner: unknown) => normalizeValue(inner, spelling, depth + 1)
  if (Array.isArray(value)) return value.map(normalize).filter((inner) => inner !== undefined)
  const fields = Object.entries(value).map(([name, inner]): [string, unknown] => [
    spelling.get(normalizeName(name)) ?? name,
    normalize(inner),
  ])
  return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined))
}
