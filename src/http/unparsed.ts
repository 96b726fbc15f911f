// Answers requests that Node refuses before any route sees them, in the format of the API's errors, and ends the
// connection.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ConnectionError, FastifyBaseLogger, FastifyInstance } from 'fastify'
import { newId } from '../database/id.ts'
import { texts } from '../texts.ts'
import { AppError, buildProblemBody } from './errors.ts'
import { createAnswerLog } from './log.ts'
import { PLAIN_HEADERS } from './security-headers.ts'

// Importing `node:http` as ESM reads all its exports, Node's own undici included, which takes memory and time for one
// table of words.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

const ASKS_FOR_PAGE = /^accept:.*text\/html/im

const ERRORS_BY_CODE: Record<string, AppError> = {
  ERR_HTTP_REQUEST_TIMEOUT: new AppError(408, 'request_timeout', texts.requestTimeout),
  HPE_HEADER_OVERFLOW: new AppError(431, 'headers_too_large', texts.headersTooLarge),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new AppError(413, 'payload_too_large', texts.payloadTooLarge),
}
const UNREADABLE = new AppError(400, 'invalid_request', texts.invalidRequest)

/** Creates the handler for Fastify's `clientErrorHandler`. */
export function createUnparsedHandler(log: FastifyBaseLogger, baseUrl: string) {
  return function sendUnparsedProblem(error: ConnectionError, socket: Duplex) {
    // After a reset the answer cannot be delivered.
    if (error.code !== 'ECONNRESET' && socket.writable) {
      const problem = ERRORS_BY_CODE[error.code] ?? UNREADABLE
      // Headers exist only as raw text here; browsers send Accept before the cookies.
      const isBrowser = problem.statusCode === 431 && ASKS_FOR_PAGE.test(String(error.rawPacket))
      const page = isBrowser ? texts.cookiesTooLarge : undefined
      const reqId = writeProblem(socket, problem, baseUrl, page)
      log.info({ reqId, status: problem.statusCode, reason: error.code }, 'answered')
    }
    socket.destroy(error)
  }
}

/**
 * Refuses CONNECT, Expect and a missing Host before all other hooks. Node does not check the host itself (server.ts).
 */
export function refuseUnserved(app: FastifyInstance, baseUrl: string) {
  const logAnswer = createAnswerLog(app.log)
  const refuse = (request: IncomingMessage, socket: Duplex, problem: AppError) => {
    const { method = '', url = '' } = request
    const id = writeProblem(socket, problem, baseUrl)
    logAnswer({ id, method, url }, { status: problem.statusCode, ms: 0 })
  }

  app.server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    refuse(request, socket, new AppError(405, 'method_not_allowed', texts.methodNotAllowed))
    socket.destroy()
  })
  app.server.on('checkExpectation', (request: IncomingMessage) => {
    const { socket } = request
    refuse(request, socket, new AppError(417, 'expectation_failed', texts.expectationFailed))
    socket.destroySoon()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { httpVersion, headers } = request.raw
    const isHostMissing = httpVersion === '1.1' && headers.host === undefined
    done(isHostMissing ? new AppError(400, 'invalid_request', texts.hostMissing) : undefined)
  })
}

/** Writes the answer, and returns its id, which the log contains too. */
function writeProblem(socket: Duplex, problem: AppError, baseUrl: string, page?: string) {
  const id = newId()
  const body = page ?? JSON.stringify(buildProblemBody(problem, baseUrl))
  const headers = {
    ...PLAIN_HEADERS,
    'x-request-id': id,
    'content-type': `${page ? 'text/plain' : 'application/json'}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const status = `${problem.statusCode} ${STATUS_CODES[problem.statusCode]}`
  socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  return id
}
