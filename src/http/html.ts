// The common parts of all HTML pages: templates, security headers, and error pages.
import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import formBody from '@fastify/formbody'
import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type LayoutTexts, texts } from '../texts.ts'
import type { GetAssetUrl } from './assets.ts'
import { AppError, logFailure, notFoundError, toAppError } from './errors.ts'
import { type Badge, buildViewFunctions, type ViewFunctions } from './view-functions.ts'

const VIEWS_FOLDER = fileURLToPath(new URL('../../views', import.meta.url))

/** Several times the size of any form that needs no session. */
const STRANGER_FORM_BYTES = 20_480

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
}

/** The foreign origins from which a page loads scripts, images and frames, and to which it connects and posts. */
export type Origins = {
  script?: readonly string[]
  image?: readonly string[]
  frame?: readonly string[]
  connect?: readonly string[]
  form?: readonly string[]
}

export type PolicyParts = {
  /** The whole text of the page's only inline style. */
  style?: string | null
  /** For a program that writes its own styles into the page. */
  styled?: boolean
  frames?: boolean
  /** The origins of the provider that this page is about. */
  origins?: Origins
  /** Whether the page may be shown in a frame of ours. */
  framed?: boolean
  /** The addresses of its pictures, which may be at another origin of ours, or at a former one. */
  pictures?: readonly (string | null | undefined)[]
}

/**
 * Builds a Content-Security-Policy without `unsafe-inline`, and without upgrade-insecure-requests, which would break
 * plain http.
 */
export function buildContentPolicy({
  style,
  styled,
  frames,
  framed,
  origins = {},
  pictures = [],
}: PolicyParts = {}) {
  const digest = style ? ` 'sha256-${hash('sha256', style, 'base64')}'` : ''
  const { script = [], image = [], frame = [], connect = [], form = [] } = origins
  const shown = pictures.flatMap((url) => (url && URL.parse(url)?.origin) || [])
  const framing = [...(frames ? ["'self'"] : []), ...frame]
  return [
    "default-src 'none'",
    ["script-src 'self'", ...script].join(' '),
    `style-src 'self'${styled ? " 'unsafe-inline'" : digest}`,
    ["img-src 'self' data:", ...new Set([...shown, ...image])].join(' '),
    ["connect-src 'self'", ...connect].join(' '),
    ["form-action 'self'", ...form].join(' '),
    `frame-src ${framing.join(' ') || "'none'"}`,
    "base-uri 'none'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
  ].join('; ')
}

/** The headers of every page, unless a page overrides them. */
const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  'content-security-policy': buildContentPolicy(),
  'cache-control': 'no-store',
}

/** Makes a scope one of pages: it answers and fails in HTML, reads forms and refuses posts from other sites. */
export async function serveHtml(
  app: FastifyInstance,
  asset: GetAssetUrl,
  describe: DescribeFailure = describeInPortuguese,
) {
  await app.register(formBody, { bodyLimit: STRANGER_FORM_BYTES })
  app.removeContentTypeParser(['application/json', 'text/plain'])

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(PAGE_HEADERS)
    done(isCrossSite(request) ? buildCrossSiteError() : undefined)
  })

  app.setErrorHandler(async (error, request, reply) => {
    const failure = toAppError(error)
    logFailure(request, error, failure)
    // A request that failed before the scope's own hook has no policy yet.
    if (!reply.hasHeader('content-security-policy')) reply.headers(PAGE_HEADERS)
    const page = { ...describe(request, reply.headers(failure.headers), failure), asset }
    return sendErrorPage(request, reply, { failure, page })
  })
  // The root has a handler of its own (serveUnknown).
  if (app.prefix !== '') {
    app.setNotFoundHandler((request, reply) => {
      const failure = notFoundError()
      const page = { ...describe(request, reply, failure), asset }
      return sendErrorPage(request, reply, { failure, page })
    })
  }
}

export function serveUnknown(app: FastifyInstance, asset: GetAssetUrl) {
  app.setNotFoundHandler((request, reply) => {
    const failure = notFoundError()
    const page = { ...describeInPortuguese(request, reply, failure), asset }
    return sendErrorPage(request, reply.headers(PAGE_HEADERS), { failure, page })
  })
}

/** Every view by its name under views/, with its view model. Each room adds its own views (`declare module`). */
export interface Views {
  'http/error': {
    asset: GetAssetUrl
    status: number
    title: string
    message: string
    /** A link to continue with, because reloading the page would send a refused form again. */
    way: { text: string; href: string } | null
    requestId: string
    t: FailureTexts
  }
  'http/badge': Badge
  'http/time': { iso: string; text: string; full: string }
}

export type { ViewFunctions }

type FailureTexts = { layout: LayoutTexts }
/** Returns the texts of an error page, in the reader's language. */
type DescribeFailure = (
  request: FastifyRequest,
  reply: FastifyReply,
  failure: AppError,
) => Pick<Views['http/error'], 't' | 'title' | 'message' | 'way'>

export function sendPage<Name extends keyof Views>(
  reply: FastifyReply,
  name: Name,
  model: Views[Name],
) {
  return sendView(reply, name, model)
}

/** Sends a view with a model that is checked elsewhere, where its parts are joined (PageParts of the dashboard). */
export async function sendView(reply: FastifyReply, name: keyof Views, model: object) {
  return reply.send(await reply.viewAsync(name, model))
}

/** Renders a view to a string, to be placed inside another page. */
export function renderView<Name extends keyof Views>(name: Name, model: Views[Name]) {
  return eta.render(name, model)
}

async function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { failure: { statusCode: status }, page }: DescribedFailure,
) {
  reply.code(status)
  return sendPage(reply, 'http/error', { ...page, status, requestId: request.id })
}

type DescribedFailure = {
  failure: AppError
  page: ReturnType<DescribeFailure> & { asset: GetAssetUrl }
}

function describeInPortuguese(_request: FastifyRequest, _reply: FastifyReply, failure: AppError) {
  const title = getErrorTitle(failure.statusCode)
  return { t: texts, title, message: getErrorMessage(failure), way: null }
}

export function getErrorTitle(status: number) {
  const titles: Record<string, string> = texts.errorPages
  return titles[status] ?? texts.errorPages.other
}

/** The API speaks of resources, a page of its address. */
export function getErrorMessage({ message }: AppError) {
  return message === texts.notFound ? texts.nothingHere : message
}

/**
 * Whether a form comes from another site. Browsers say so in Sec-Fetch-Site, but not over plain http; there our own
 * `no-referrer` makes their Origin "null", so only another Origin counts.
 */
function isCrossSite({ method, headers }: FastifyRequest) {
  if (method === 'GET' || method === 'HEAD') return false
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'cross-site'
  const { origin } = headers
  if (origin === undefined || origin === 'null') return false
  return !isOfHost(origin, headers.host)
}

/**
 * Refuses posts from other hosts, sibling hosts included, on pages with a sign-in. For old browsers Origin or Referer
 * decides; without both, the token in the form does.
 */
export function refuseSiblings(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) => {
    done(comesFromElsewhere(request) ? buildCrossSiteError() : undefined)
  })
}

function comesFromElsewhere({ method, headers }: FastifyRequest) {
  if (method === 'GET' || method === 'HEAD') return false
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const from = headers.origin && headers.origin !== 'null' ? headers.origin : headers.referer
  return from !== undefined && !isOfHost(from, headers.host)
}

/** Whether an address has this host, with or without the default port of its scheme. */
function isOfHost(address: string, host: string | undefined) {
  const from = URL.parse(address)
  return from !== null && from.host === URL.parse(`${from.protocol}//${host}`)?.host
}

function buildCrossSiteError() {
  return new AppError(403, 'cross_site', texts.crossSite)
}

type Part = ReturnType<Eta['parse']>[number]

/** Renders pages, and mails too. */
export const eta = createViewEngine()

export function createViewEngine(views = VIEWS_FOLDER) {
  const processAST = (parts: Part[]) => parts.map(unindent)
  const functions = buildViewFunctions((name, model) => engine.render(name, model))
  // `this` is the engine in a view.
  const functionHeader = `const { ${Object.keys(functions)} } = this.functions`
  const options = { views, autoTrim: false, cache: true, functionHeader } as const
  const engine = new Eta({ ...options, plugins: [{ processAST }] })
  return Object.assign(engine, { functions })
}

/**
 * Removes the indentation of a view from its output. It works on parsed parts and not on the text of the file, so that
 * code samples between tags keep their indentation. Eta has already written line breaks as code.
 */
function unindent(part: Part) {
  return typeof part === 'string' ? part.replace(/(\\n) +/g, '$1') : part
}

/** With `production` each view is compiled once. */
export function serveViews(app: FastifyInstance) {
  app.register(view, { engine: { eta }, root: VIEWS_FOLDER, viewExt: 'eta', production: true })
}
