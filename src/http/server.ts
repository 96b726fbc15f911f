// The server that all is registered with: what it takes of a request, for how long, and how it refuses.
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { newId } from '../database/id.ts'
import { readSystemError } from '../system-error.ts'
import { logFailure, sendFrameworkProblem, sendProblem, toAppError } from './errors.ts'
import { parseForwarding } from './forwarding.ts'
import { endUnusedConnections } from './lifecycle/closing.ts'
import { buildSecurityHeaders } from './security-headers.ts'
import { createUnparsedHandler } from './unparsed.ts'
import { serveViews } from './views.ts'
import { setZodMessages, zodController } from './zod.ts'

const BODY_LIMIT_BYTES = 65_536
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than the request's timeout, so that a client that stalls is told why the connection ends. */
const CONNECTION_TIMEOUT_MS = 40_000
const TIMEOUT_CHECK_MS = 5_000
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Under these paths an address that cannot be decoded is a program's mistake, and is answered as one. */
const CALLED_BY_PROGRAMS = /^\/(?:api(?!\/docs(?:\/|$))|webhooks)(?:\/|$)/
const ORIGIN_BEFORE_PATH = /^https?:\/\/[^/?#]+(?=\/)/i
/** Characters that mean the same percent-encoded and plain (RFC 3986, 2.3). */
const UNRESERVED = /^[\w.~-]$/

export type ServerNeeds = {
  log: FastifyBaseLogger
  trustProxy: NonNullable<FastifyServerOptions['trustProxy']>
  baseUrl: string
}

export function createServer({ log, trustProxy, baseUrl }: ServerNeeds): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    schemaController: zodController,
    logController: new LogController({ disableRequestLogging: true }),
    // One for each request would cost all of them what few need: who says something of one names it (reqId).
    childLoggerFactory: (own) => own,
    genReqId: newId,
    requestIdHeader: false,
    trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // What arrives on a connection that is still open is answered (closing.ts).
    return503OnClosing: false,
    // No address is too long to be an unknown one: Node takes 16 KB of it.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    http: {
      // What Node would refuse in words of its own is refused in ours.
      requireHostHeader: false,
      // By its default, 60 s, Node would take the two for each other, and leave a body as long.
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Streams for bodies that never come would be a fifth of what a small answer costs.
      optimizeEmptyRequests: true,
    },
    clientErrorHandler: createUnparsedHandler(log, baseUrl),
    frameworkErrors: (error, request, reply) =>
      sendFrameworkProblem(error, request, reply, baseUrl),
    rewriteUrl: ({ url = '/' }) => toServedUrl(url),
  })
  // It would be refused for its headers before its address is known to be none: no route takes it.
  app.addHttpMethod('QUERY', { overrideExisting: true })
  endUnusedConnections(app)
  parseForwarding(app)
  skipAbsentBodies(app)
  setZodMessages()
  setJsonErrorHandler(app, baseUrl)
  serveViews(app)
  return app
}

type ListenAddress = { port: number; host: string }

/**
 * With `::` on IPv6 and IPv4 alike, on IPv4 alone where there is no IPv6. Throws one sentence that names the variable to
 * change.
 */
export async function startListening(app: FastifyInstance, { port, host }: ListenAddress) {
  try {
    return await app.listen({ port, host })
  } catch (error) {
    const { code, message } = readSystemError(error)
    if (host === ALL_ADDRESSES && NO_IPV6_CODES.includes(code))
      return startListening(app, { port, host: '0.0.0.0' })
    const advice = LISTEN_ADVICE[code] ?? 'HOST has to be an address of this machine'
    // Without its cause: a name that is not found is no outage of the database.
    throw new Error(`The service cannot listen at port ${port} (${message}): ${advice}.`)
  }
}

const ALL_ADDRESSES = '::'
const NO_IPV6_CODES = ['EAFNOSUPPORT', 'EADDRNOTAVAIL']
const LISTEN_ADVICE: Record<string, string> = {
  EADDRINUSE: 'end the program that has it, or choose another one as PORT',
  EACCES: 'choose a PORT from 1024 on, or let this user have it',
}

/** Forgets the content type of what has no content: a parser would wait for a stream that has ended already. */
function skipAbsentBodies(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const isAnnounced = 'content-length' in headers || 'transfer-encoding' in headers
    if (!isAnnounced) delete headers['content-type']
    done()
  })
}

/**
 * One address for one page: with slashes doubled or letters needlessly encoded it is another to who guards or caches by
 * address, and the same to the router. Programs are served as they ask, for few of them follow. Before whatever hands
 * requests on by their address.
 */
export function redirectToCleanAddress(app: FastifyInstance, baseUrl: string) {
  const headers = buildSecurityHeaders(baseUrl)
  app.addHook('onRequest', (request, reply, done) => {
    const clean = findCleanAddress(request.originalUrl)
    if (clean === undefined) return done()
    reply.headers(headers).redirect(clean, 308)
  })
}

/** Of this server always: it begins with one slash. Undefined for an address that is clean, or a program's. */
export function findCleanAddress(url: string): string | undefined {
  const asked = url.replace(ORIGIN_BEFORE_PATH, '')
  const [path = ''] = asked.split(/[?#]/, 1)
  // Nearly every request.
  if (!path.startsWith('/') || !(path.includes('//') || path.includes('%'))) return undefined
  const clean = path
    .replace(/%([\da-f]{2})/gi, (written, hex: string) => {
      const letter = String.fromCharCode(Number.parseInt(hex, 16))
      return UNRESERVED.test(letter) ? letter : written
    })
    .replace(/\/{2,}/g, '/')
  const isServedHere = CALLED_BY_PROGRAMS.test(clean) || /\/\.\.?(?:\/|$)/.test(clean)
  if (clean === path || isServedHere || !isDecodable(path)) return undefined
  // Browsers take a backslash for a slash.
  return clean.replaceAll('\\', '%5C') + asked.slice(path.length)
}

function toServedUrl(url: string) {
  // A request written as for a proxy names the host too.
  const served = joinSlashes(url.replace(ORIGIN_BEFORE_PATH, ''))
  if (!served.includes('%')) return served
  const [path = ''] = served.split(/[?#]/, 1)
  if (CALLED_BY_PROGRAMS.test(path) || isDecodable(path)) return served
  // With each `%` taken literally, the path matches no route, and its scope answers with its own 404 page.
  return path.replaceAll('%', '%25') + served.slice(path.length)
}

/** Under /api/ `//` becomes `/` anywhere in the path: a client's base address may end with a slash. */
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

/** The default for whatever is not a page. */
function setJsonErrorHandler(app: FastifyInstance, baseUrl: string) {
  app.setErrorHandler((error, request, reply) => {
    const failure = toAppError(error, request.routeOptions.bodyLimit)
    logFailure(request, error, failure)
    return sendProblem(reply, failure, baseUrl)
  })
}
