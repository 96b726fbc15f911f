// Chooses the payer's language: the one chosen on a page (`?lang=`, then a cookie), else the first one that the browser
// prefers and we have, else Portuguese.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LOCALES, type Locale } from '../database/enums.ts'
import { DAY_MS, SECOND_MS } from '../database/instant.ts'
import { isCardDataRefusal } from '../http/card-data.ts'
import type { AppError } from '../http/errors.ts'
import { toRecord } from '../http/fields.ts'
import { texts } from '../texts.ts'
import { linkPath, type Mounted, paymentPath } from './paths.ts'
import { CHECKOUT_TEXTS } from './texts/languages.ts'
import type { CheckoutTexts } from './texts/pt.ts'

const LANGUAGE_COOKIE = 'vintem_lang'
const COOKIE_MAX_AGE_S = (365 * DAY_MS) / SECOND_MS
/** Longer headers are cut; browsers send a few languages only. */
const MAX_HEADER_LENGTH = 200
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

export function resolveTexts(request: FastifyRequest): CheckoutTexts {
  return CHECKOUT_TEXTS[resolveLocale(request)]
}

/** A language that was chosen on a page is kept for all pages of the checkout; otherwise no cookie is set. */
export function keepLanguageChoices(
  app: FastifyInstance,
  { mount, secure }: { mount: string; secure: boolean },
) {
  const flags = secure ? 'HttpOnly; Secure; SameSite=Lax' : 'HttpOnly; SameSite=Lax'
  const reach = `Max-Age=${COOKIE_MAX_AGE_S}; Path=${mount || '/'}; ${flags}`
  app.addHook('onRequest', (request, reply, done) => {
    const locale = readChoice(request)
    if (locale) reply.header('set-cookie', `${LANGUAGE_COOKIE}=${locale}; ${reach}`)
    done()
  })
}

export function buildLanguageHeaders({ layout }: CheckoutTexts) {
  return { 'content-language': layout.lang, vary: 'accept-language' }
}

/** Describes an error page. Errors of the checkout itself are in the payer's language already. */
export function createFailureDescriber(needs: Mounted) {
  return (request: FastifyRequest, reply: FastifyReply, failure: AppError) => {
    const t = resolveTexts(request)
    reply.headers(buildLanguageHeaders(t))
    const titles: Record<string, string> = t.errorPages
    const title = titles[failure.statusCode] ?? t.errorPages.other
    const href = findWayBack(needs, request, failure)
    const way = href === null ? null : { text: t.payment.back, href }
    return { t, title, message: translateFailure(failure.message, t), way }
  }
}

/** Returns the page of the refused form, or the address without its query. */
function findWayBack(needs: Mounted, { method, params }: FastifyRequest, failure: AppError) {
  const { slug, token } = toRecord(params)
  if (method !== 'POST' && !isCardDataRefusal(failure)) return null
  if (typeof slug !== 'string') return null
  return typeof token === 'string' ? paymentPath(needs, slug, token) : linkPath(needs, slug)
}

function translateFailure(message: string, t: CheckoutTexts) {
  const known = Object.entries(texts).find(([, sentence]) => sentence === message)
  const failures: Record<string, string> = t.failures
  return failures[known?.[0] ?? ''] ?? message
}

function resolveLocale(request: FastifyRequest): Locale {
  return readChoice(request) ?? readKeptChoice(request) ?? negotiateLocale(request.headers)
}

function readChoice({ query }: FastifyRequest) {
  return toLocale(toRecord(query).lang)
}

/** Without a cookie header no cookies are parsed, as in early failures. */
function readKeptChoice({ headers, cookies }: FastifyRequest) {
  return headers.cookie === undefined ? undefined : toLocale(cookies?.[LANGUAGE_COOKIE])
}

/** Reads `Accept-Language` (RFC 9110): the highest quality wins, and among equals the first. */
function negotiateLocale({ 'accept-language': header = '' }: IncomingHttpHeaders): Locale {
  let best: { locale: Locale; quality: number } | undefined
  for (const range of header.slice(0, MAX_HEADER_LENGTH).toLowerCase().split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const locale = toLocale(tag.split('-')[0])
    const quality = readQuality(parameters)
    if (locale && quality > (best?.quality ?? 0)) best = { locale, quality }
  }
  return best?.locale ?? LOCALES[0]
}

/** 0 for a refused or unreadable language. */
function readQuality([parameter]: string[]) {
  return parameter === undefined ? 1 : Number(QUALITY.exec(parameter)?.[1] ?? 0)
}

function toLocale(value: unknown) {
  return LOCALES.find((locale) => locale === value)
}
