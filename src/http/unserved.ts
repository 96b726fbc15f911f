// Refuses what no route serves, in the format of the API's errors: requests that Node cannot parse or would refuse in
// words of its own, and known paths with another method.
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ConnectionError, FastifyBaseLogger, FastifyInstance, RouteOptions } from 'fastify'
import { newId } from '../database/id.ts'
import { texts } from '../texts.ts'
import { AppError, buildProblemBody, PLAIN_HEADERS, sendProblem } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The pattern of the route when its path has other methods only; else null. */
    refusedPath: string | null
  }
}

const ASKS_FOR_PAGE = /^accept:.*text\/html/im
const METHODS_IN_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const ERRORS_BY_CODE: Record<string, AppError> = {
  ERR_HTTP_REQUEST_TIMEOUT: new AppError(408, 'request_timeout', texts.requestTimeout),
  HPE_HEADER_OVERFLOW: new AppError(431, 'headers_too_large', texts.headersTooLarge),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new AppError(413, 'payload_too_large', texts.payloadTooLarge),
  CONNECT: new AppError(405, 'method_not_allowed', texts.methodNotAllowed),
}
const UNREADABLE = new AppError(400, 'invalid_request', texts.invalidRequest)

/** Creates the handler for Fastify's `clientErrorHandler`, which ends the connection. */
export function createUnparsedHandler(log: FastifyBaseLogger, baseUrl: string) {
  return function sendUnparsedProblem(error: Pick<ConnectionError, 'code'>, socket: Duplex) {
    const { code } = error
    // After a reset the answer cannot be delivered.
    if (code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    const problem = ERRORS_BY_CODE[code] ?? UNREADABLE
    // Headers exist only as raw text here; browsers send Accept before the cookies.
    const packet = 'rawPacket' in error ? String(error.rawPacket) : ''
    const isBrowser = problem.statusCode === 431 && ASKS_FOR_PAGE.test(packet)
    const reqId = writeProblem(socket, problem, baseUrl, isBrowser)
    log.info({ reqId, status: problem.statusCode, reason: code }, 'answered')
    return socket.destroy()
  }
}

/** Refuses CONNECT, Expect and a missing Host. Node does not check the host itself (server.ts). */
export function refuseUnserved(app: FastifyInstance, baseUrl: string) {
  const refuse = createUnparsedHandler(app.log, baseUrl)
  app.server.on('connect', (_request, socket) => refuse({ code: 'CONNECT' }, socket))
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  )
  app.addHook('onRequest', ({ raw: { httpVersion, headers } }, reply, done) => {
    if (httpVersion === '1.1' && headers.host === undefined) {
      return done(new AppError(400, 'invalid_request', texts.hostMissing))
    }
    if (headers.expect === undefined || /^100-continue$/i.test(headers.expect)) return done()
    reply.header('connection', 'close')
    done(new AppError(417, 'expectation_failed', texts.expectationFailed))
  })
}

/**
 * Answers 405, with the allowed methods, to other methods on the paths of the routes that are registered in this scope
 * afterwards, before a body is read: also to methods that the router doesn't know, and where it would take a word such
 * as `batch` for an id. With `isPublic`, only those routes count, and the refusal is sent at once: an unknown method
 * would otherwise reach a scope that asks for a key or answers with a page.
 */
export function refuseOtherMethods(
  scope: FastifyInstance,
  baseUrl: string,
  isPublic?: (route: RouteOptions) => boolean,
) {
  const served = new Map<string, { url: string; pattern: RegExp; methods: Set<string> }>()
  if (!scope.hasRequestDecorator('refusedPath')) scope.decorateRequest('refusedPath', null)
  scope.addHook('onRoute', (route) => {
    if (isPublic && !isPublic(route)) return
    const url = trimPath(route.url)
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
    const path = served.get(url) ?? { url, pattern, methods: new Set() }
    for (const method of [route.method].flat()) path.methods.add(method)
    served.set(url, path)
  })
  scope.addHook('onRequest', (request, reply, done) => {
    const asked = trimPath(request.url)
    const findMatch = () => [...served.values()].find(({ pattern }) => pattern.test(asked))
    const path = served.get(asked) ?? (request.is404 ? findMatch() : undefined)
    if (!path || path.methods.has(request.method)) return done()
    request.refusedPath = path.url
    const allow = METHODS_IN_ORDER.filter((one) => path.methods.has(one)).join(', ')
    const headers = { allow }
    const error = new AppError(405, 'method_not_allowed', texts.methodNotAllowed, { headers })
    if (isPublic) sendProblem(reply, error, baseUrl)
    else done(error)
  })
}

/** Removes the query and a slash at the end, which the router ignores too. */
function trimPath(url: string) {
  return url.replace(/[?#].*/s, '').replace(/\/$/, '')
}

/** Writes the answer, for a browser as a sentence, and returns its id, which the log contains too. */
function writeProblem(socket: Duplex, problem: AppError, baseUrl: string, isBrowser: boolean) {
  const id = newId()
  const json = JSON.stringify(buildProblemBody(problem, baseUrl))
  const body = isBrowser ? texts.cookiesTooLarge : json
  const headers = {
    ...PLAIN_HEADERS,
    'x-request-id': id,
    'content-type': `${isBrowser ? 'text/plain' : 'application/json'}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const status = `${problem.statusCode} ${STATUS_CODES[problem.statusCode]}`
  socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  return id
}
