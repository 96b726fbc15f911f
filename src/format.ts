// Formats money, dates and documents as in Brazil. The Intl formats are shared, since creating one costs more than a
// hundred uses, and created at their first use, since all of them take 7 MB and 15 ms.
import { memoizeValue } from './record.ts'

const DAY_MS = 86_400_000

const getBrlFormat = shareNumberFormat({ style: 'currency', currency: 'BRL' })
const getEnglishBrlFormat = shareNumberFormat({ style: 'currency', currency: 'BRL' }, 'en-US')
const getCountFormat = shareNumberFormat()
const getEnglishCountFormat = shareNumberFormat({}, 'en-US')
const getPercentFormat = shareNumberFormat({ minimumFractionDigits: 2 })
const getEnglishPercentFormat = shareNumberFormat({ minimumFractionDigits: 2 }, 'en-US')
const getShortDayFormat = shareDateFormat({ dateStyle: 'short' })
const getDayFormat = shareDateFormat({ day: '2-digit', month: '2-digit', year: 'numeric' })
const getEnglishDayFormat = shareDateFormat(
  { day: 'numeric', month: 'short', year: 'numeric' },
  'en-GB',
)
const getMonthFormat = shareDateFormat({ month: 'long', year: 'numeric' })
const getTimeFormat = shareDateFormat({ timeStyle: 'short' })
const getFullTimeFormat = shareDateFormat({ timeStyle: 'medium' })

function shareNumberFormat(options?: Intl.NumberFormatOptions, language = 'pt-BR') {
  return memoizeValue(() => new Intl.NumberFormat(language, options))
}

function shareDateFormat(options: Intl.DateTimeFormatOptions, language = 'pt-BR') {
  return memoizeValue(
    () => new Intl.DateTimeFormat(language, { timeZone: 'America/Sao_Paulo', ...options }),
  )
}

/** Formats 123456 cents as `R$ 1.234,56`, in English as `R$1,234.56`; U+00A0 keeps lines from breaking. */
export function formatBrl(cents: number, language?: string) {
  if (language === 'en') return getEnglishBrlFormat().format(cents / 100)
  return getBrlFormat()
    .format(cents / 100)
    .replace('-', '−\u00a0')
}

/** Formats the amount, or a dash when it is unknown. */
export function formatKnownBrl(cents: number | null) {
  return cents === null ? '—' : formatBrl(cents)
}

/** For programs and plain mails, which break no lines: replaces U+00A0 by a normal space. */
export function toPlainSpaces(text: string) {
  return text.replaceAll('\u00a0', ' ')
}

type PartTexts = {
  locale?: string
  part: (count: number, part: string) => string
  firstPart: (first: string) => string
}

/** Formats `3x de R$ 33,33 (primeira de R$ 33,34)`: the first one is named when it has the remainder. */
export function formatParts(
  payment: { installments: number; installmentCents: number; totalCents: number },
  { locale, part, firstPart }: PartTexts,
) {
  const { installments, installmentCents, totalCents } = payment
  const parts = part(installments, formatBrl(installmentCents, locale))
  const firstCents = totalCents - installmentCents * (installments - 1)
  return firstCents === installmentCents
    ? parts
    : `${parts} (${firstPart(formatBrl(firstCents, locale))})`
}

/** Formats 500 basis points as `5%` and 750 as `7,5%`, in English as `7.5%`. */
export function formatPercent(bps: number, language?: string) {
  const getFormat = language === 'en' ? getEnglishCountFormat : getCountFormat
  return `${getFormat().format(bps / 100)}%`
}

/** Formats 299 basis points as `2,99%`, in English as `2.99%`. */
export function formatRate(bps: number, language?: string) {
  const getFormat = language === 'en' ? getEnglishPercentFormat : getPercentFormat
  return `${getFormat().format(bps / 100)}%`
}

/** Formats a day of São Paulo as `21/11/2026`, in English as `21 Nov 2026`, since readers differ about the order. */
export function formatDay(instant: string | Date, language?: string) {
  const getFormat = language === 'en' ? getEnglishDayFormat : getDayFormat
  return getFormat().format(new Date(instant))
}

/** Formats `2026-11-21` as `21/11/2026`. */
export function formatCalendarDay(day: string) {
  return day.split('-').toReversed().join('/')
}

/** Formats a time of São Paulo as `14:05`. */
export function formatTime(instant: string | Date) {
  return getTimeFormat().format(new Date(instant))
}

/** Formats an instant within a sentence: `21/11/2026 às 14:05`. */
export function formatDayAndTime(instant: string | Date) {
  return `${formatDay(instant)} às ${formatTime(instant)}`
}

/** Formats `980 ms` or `1,5 s`. */
export function formatDuration(ms: number) {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1).replace('.', ',')} s`
}

/** Formats a time of São Paulo as `14:05:09`. */
export function formatFullTime(instant: string | Date) {
  return getFullTimeFormat().format(new Date(instant))
}

/** Formats an instant as `21/11/2026 14:05`; in a list, with its `now`, as `hoje 14:05` or `19/11 14:05`. */
export function formatInstant(instant: string | Date, now?: Date) {
  return `${now ? formatNearDay(instant, now) : formatDay(instant)} ${formatTime(instant)}`
}

/** Formats an instant to the second, with the time zone: `21/11/2026 14:05:09 (Brasília)`. */
export function formatFullInstant(instant: string | Date) {
  return `${formatDay(instant)} ${formatFullTime(instant)} (Brasília)`
}

/** Formats today and yesterday as words, and days of other years with the year. */
export function formatNearDay(instant: string | Date, now: Date) {
  if (isSameDay(instant, now)) return 'hoje'
  if (isSameDay(instant, new Date(now.getTime() - DAY_MS))) return 'ontem'
  const [day, month, year] = formatDay(instant).split('/')
  return formatDay(now).endsWith(`/${year}`) ? `${day}/${month}` : `${day}/${month}/${year}`
}

/** Formats a month of São Paulo as `novembro de 2026`. */
export function formatMonth(instant: string | Date) {
  return getMonthFormat().format(new Date(instant))
}

export function isSameDay(a: string | Date, b: string | Date) {
  return getShortDayFormat().format(new Date(a)) === getShortDayFormat().format(new Date(b))
}

/** formatTaxId or maskTaxId, as the reader may see it. */
export type FormatDocument = (taxId: string) => string

/** Formats 11 digits as `123.456.789-09`, 14 characters as `12.ABC.345/01DE-35`, `+AB12345` as of another country. */
export function formatTaxId(taxId: string) {
  const foreign = getForeignDocument(taxId)
  if (foreign) return `${foreign} (outro país)`
  return taxId.length === 11
    ? taxId.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')
    : taxId.replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5')
}

/** Formats `Visa •••• 4242`. */
export function formatCard(brand: string, last4: string) {
  return `${formatCardBrand(brand)} •••• ${last4}`
}

export type CardBrand = 'visa' | 'mastercard' | 'elo' | 'amex' | 'hipercard'

/** A Map, because browsers send the brand, and an object would also have `constructor`. */
const CARD_BRAND_NAMES = new Map<string, string>([
  ['visa', 'Visa'],
  ['mastercard', 'Mastercard'],
  ['elo', 'Elo'],
  ['amex', 'American Express'],
  ['hipercard', 'Hipercard'],
] satisfies [CardBrand, string][])

export function formatCardBrand(brand: string) {
  return CARD_BRAND_NAMES.get(brand) ?? brand
}

/** The number of a document of another country, which is kept behind a `+`; null of a CPF or CNPJ. */
export function getForeignDocument(taxId: string | null) {
  return taxId?.startsWith('+') ? taxId.slice(1) : null
}

/** The CPF or CNPJ; null of a document of another country. */
export function getTaxId(taxId: string | null) {
  return getForeignDocument(taxId) ? null : taxId
}

/** The document as the API answers it. */
export function serializeDocument(document: string | null) {
  const taxId = getTaxId(document)
  const foreign = getForeignDocument(document)
  return { taxId: taxId && maskTaxId(taxId), foreignDocument: foreign && maskForeign(foreign) }
}

function maskForeign(foreign: string) {
  return foreign.replace(/.(?=.{3})/g, '*')
}

/** The part of a document that may leave the service: `***.456.789-**`, `**.ABC.345/****-**` or `*****345 (outro país)`. */
export function maskTaxId(taxId: string) {
  const foreign = getForeignDocument(taxId)
  if (foreign) return `${maskForeign(foreign)} (outro país)`
  return taxId.length === 11
    ? taxId.replace(/...(...)(...)../, '***.$1.$2-**')
    : taxId.replace(/..(...)(...)....../, '**.$1.$2/****-**')
}

/** Formats `11987654321` as `(11) 98765-4321`. */
export function formatPhone(phone: string) {
  return phone.replace(/^(\d\d)(\d{4,5})(\d{4})$/, '($1) $2-$3')
}

/** Formats `12.345`. */
export function formatCount(count: number) {
  return getCountFormat().format(count)
}

/** Formats `1 pagamento`, `12.345 pagamentos`; `many` is for plurals without an s. */
export function countOf(n: number, one: string, many = `${one}s`) {
  return `${formatCount(n)} ${n === 1 ? one : many}`
}

const KILOBYTE = 1024
const MEGABYTE = KILOBYTE ** 2

/** Formats 65536 as `64 KB`. */
export function formatBytes(bytes: number) {
  return bytes < MEGABYTE ? `${bytes / KILOBYTE} KB` : `${bytes / MEGABYTE} MB`
}

/** Formats a payer's answer as in Brazil, and a date in the reader's language. */
export function formatAnswer(
  { type, value }: { type: string; value: string },
  language?: string,
): string {
  if (type === 'number') return value.replace('.', ',')
  // Noon, so that the day is the same in every time zone.
  return type === 'date' ? formatDay(`${value}T12:00:00.000Z`, language) : value
}
