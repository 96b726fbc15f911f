// Creates the Fastify server with its limits of size and time, its refusals, and the hooks of every request.

import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { newId } from '../database/id.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { readSystemError } from '../system-error.ts'
import { texts } from '../texts.ts'
import { refuseCardData } from './card-data.ts'
import { logFailure, PLAIN_HEADERS, sendProblem, toAppError } from './errors.ts'
import { parseForwarding } from './forwarding.ts'
import { serveViews } from './html.ts'
import { endUnusedConnections, followLifecycle, type Lifecycle } from './lifecycle.ts'
import { buildNetworkLimits, enforceLimits, type Limiter } from './limiter.ts'
import { logRequests } from './log.ts'
import { type Metrics, measureResponses } from './metrics.ts'
import { createUnparsedHandler, refuseUnserved } from './unserved.ts'
import { setZodMessages, zodController } from './zod.ts'

const BODY_LIMIT_BYTES = 65_536
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than the request's timeout, so that a client that stalls gets an answer before the connection ends. */
const CONNECTION_TIMEOUT_MS = 40_000
const TIMEOUT_CHECK_MS = 5_000
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Under these paths the callers are programs: an address that cannot be decoded gets a JSON error. */
const CALLED_BY_PROGRAMS = /^\/(?:api(?!\/docs(?:\/|$))|webhooks)(?:\/|$)/
const ORIGIN_BEFORE_PATH = /^https?:\/\/[^/?#]+(?=\/)/i
/** Characters that mean the same percent-encoded and plain (RFC 3986, 2.3). */
const UNRESERVED = /^[\w.~-]$/

const YEAR_S = 31_536_000
/** Many people may share one address; the limits of the single forms are lower. */
const POST_LIMIT = { max: 600, windowMs: MINUTE_MS }

export type ServerNeeds = {
  log: FastifyBaseLogger
  trustProxy: NonNullable<FastifyServerOptions['trustProxy']>
  baseUrl: string
  limiter: Limiter
  lifecycle: Lifecycle
  /** When absent, nothing is counted. */
  metrics?: Metrics | undefined
  /** How long a request waits that arrives before the process is ready. */
  startPatienceMs?: number
}

export function createServer(needs: ServerNeeds): FastifyInstance {
  const { log, trustProxy, baseUrl, metrics } = needs
  const app = Fastify({
    loggerInstance: log,
    schemaController: zodController,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost time; the few lines about a request name it by reqId.
    childLoggerFactory: (own) => own,
    genReqId: newId,
    requestIdHeader: false,
    trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Requests on connections that are still open are answered (lifecycle.ts).
    return503OnClosing: false,
    // Long unknown addresses get a 404 too; Node accepts up to 16 KB.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    http: {
      // Requests that Node would refuse in its own words get our answer (unserved.ts).
      requireHostHeader: false,
      // With Node's default of 60 s the two timeouts would be confused, and bodies would have as long.
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Without this, streams for absent bodies take a fifth of the time of a small answer.
      optimizeEmptyRequests: true,
    },
    clientErrorHandler: createUnparsedHandler(log, baseUrl),
    // For an address that cannot be decoded, for which no scope and no hook runs.
    frameworkErrors: (error, { id }, reply) =>
      sendProblem(
        reply.headers({ ...PLAIN_HEADERS, 'x-request-id': id }),
        toAppError(error),
        baseUrl,
      ),
    rewriteUrl: ({ url = '/' }) => toServedUrl(url),
  })
  // Node parses QUERY but no route takes it. It is registered so that it gets the answer of an unknown path.
  app.addHttpMethod('QUERY', { overrideExisting: true })
  setZodMessages()
  setJsonErrorHandler(app, baseUrl)
  serveViews(app)
  endUnusedConnections(app)
  parseForwarding(app)
  skipAbsentBodies(app)
  setSecurityHeaders(app, baseUrl)
  logRequests(app)
  redirectToCleanAddress(app)
  refuseUnserved(app, baseUrl)
  if (metrics) measureResponses(app, metrics)
  followLifecycle(app, needs)
  limitPosts(app, needs.limiter)
  refuseCardData(app)
  return app
}

type ListenAddress = { port: number; host: string }

/**
 * Starts to listen. `::` means IPv6 and IPv4, or IPv4 alone where there is no IPv6. Throws one sentence that names the
 * variable to change.
 */
export async function startListening(app: FastifyInstance, { port, host }: ListenAddress) {
  try {
    return await app.listen({ port, host })
  } catch (error) {
    const { code, message } = readSystemError(error)
    if (host === ALL_ADDRESSES && NO_IPV6_CODES.includes(code))
      return startListening(app, { port, host: '0.0.0.0' })
    const advice = LISTEN_ADVICE[code] ?? 'HOST must be an address of this machine'
    // The error has no cause, since a host that is not found would look like an outage of the database.
    throw new Error(`The service cannot listen at port ${port} (${message}): ${advice}.`)
  }
}

const ALL_ADDRESSES = '::'
const NO_IPV6_CODES = ['EAFNOSUPPORT', 'EADDRNOTAVAIL']
const LISTEN_ADVICE: Record<string, string> = {
  EADDRINUSE: 'stop the program that uses it, or choose another PORT',
  EACCES: 'choose a PORT from 1024 on, or allow this user to use it',
}

/** Removes the content type of a request without a body: a parser would wait for a stream that has already ended. */
function skipAbsentBodies(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const isAnnounced = 'content-length' in headers || 'transfer-encoding' in headers
    if (!isAnnounced) delete headers['content-type']
    done()
  })
}

/** Sets the headers of every answer; https is required only once the service is reached by https. */
function setSecurityHeaders(app: FastifyInstance, baseUrl: string) {
  const secure = baseUrl.startsWith('https:')
  const strict = secure && { 'strict-transport-security': `max-age=${YEAR_S}` }
  const headers = { ...PLAIN_HEADERS, ...strict }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/**
 * Redirects to one address for each page. With double slashes or needlessly encoded letters an address looks different
 * to proxies that guard or cache by address, but not to the router. Programs are answered directly, since few of them
 * follow redirects.
 */
function redirectToCleanAddress(app: FastifyInstance) {
  app.addHook('onRequest', (request, reply, done) => {
    const clean = findCleanAddress(request.originalUrl)
    if (clean === undefined) return done()
    reply.redirect(clean, 308)
  })
}

/** Returns the clean address, a path on this server; undefined when it is clean already or is called by programs. */
export function findCleanAddress(url: string): string | undefined {
  const asked = url.replace(ORIGIN_BEFORE_PATH, '')
  const [path = ''] = asked.split(/[?#]/, 1)
  // True for nearly every request.
  if (!path.startsWith('/') || !(path.includes('//') || path.includes('%'))) return undefined
  const clean = path
    .replace(/%([\da-f]{2})/gi, (written, hex: string) => {
      const letter = String.fromCharCode(Number.parseInt(hex, 16))
      return UNRESERVED.test(letter) ? letter : written
    })
    .replace(/\/{2,}/g, '/')
  const isServedHere = CALLED_BY_PROGRAMS.test(clean) || /\/\.\.?(?:\/|$)/.test(clean)
  if (clean === path || isServedHere || !isDecodable(path)) return undefined
  // Browsers read a backslash as a slash.
  return clean.replaceAll('\\', '%5C') + asked.slice(path.length)
}

function toServedUrl(url: string) {
  // A request written for a proxy contains the host too.
  const served = joinSlashes(url.replace(ORIGIN_BEFORE_PATH, ''))
  if (!served.includes('%')) return served
  const [path = ''] = served.split(/[?#]/, 1)
  if (CALLED_BY_PROGRAMS.test(path) || isDecodable(path)) return served
  // Each `%` is taken literally here: the path matches no route, and its scope answers with its own 404 page.
  return path.replaceAll('%', '%25') + served.slice(path.length)
}

/** Under /api/ `//` becomes `/` anywhere in the path, because a client's base address may end with a slash. */
function joinSlashes(url: string) {
  const clean = url.replace(/^\/{2,}/, '/')
  const [path = ''] = clean.split(/[?#]/, 1)
  const isOfApi = path.startsWith('/api/') && path.includes('//')
  return isOfApi ? path.replace(/\/{2,}/g, '/') + clean.slice(path.length) : clean
}

function isDecodable(path: string) {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}

/** The error handler of all routes that are not pages. */
function setJsonErrorHandler(app: FastifyInstance, baseUrl: string) {
  app.setErrorHandler((error, request, reply) => {
    const failure = toAppError(error, request.routeOptions.bodyLimit)
    logFailure(request, error, failure)
    return sendProblem(reply, failure, baseUrl)
  })
}

/**
 * Counts form posts by address before they cost anything: before the body is read, a password is hashed or the database
 * is asked. The API counts by key, and provider notifications have a limit of their own.
 */
function limitPosts(app: FastifyInstance, limiter: Limiter) {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request
    const { resource, mayHoldCardData } = routeOptions.config
    const isExempt = Boolean(resource ?? mayHoldCardData)
    if (method === 'GET' || method === 'HEAD' || isExempt) return done()
    const limits = buildNetworkLimits('post', request.ip, POST_LIMIT)
    void enforceLimits(limiter, limits, texts.tooManyAttempts).then(() => done(), done)
  })
}
