// What Node refuses before there is a request that a route could see: it is answered in the contract's
// shape all the same, and the connection ends.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ConnectionError, FastifyBaseLogger, FastifyInstance } from 'fastify'
import { newId } from '../database/id.ts'
import { texts } from '../texts.ts'
import { AppError, buildProblemBody } from './errors.ts'
import { createAnswerLog } from './log.ts'
import { PLAIN_HEADERS } from './security-headers.ts'

// An import of `node:http` as ESM reads whatever it exports, Node's own undici with it: memory and time
// for a table of words.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

const ASKS_FOR_PAGE = /^accept:.*text\/html/im

/** For Fastify's `clientErrorHandler`. */
export function createUnparsedHandler(log: FastifyBaseLogger) {
  return function sendUnparsedProblem(error: ConnectionError, socket: Duplex) {
    // Nobody is there to read it.
    if (error.code !== 'ECONNRESET' && socket.writable) {
      const problem = toUnparsedError(error)
      const reqId = isBrowserOverflow(error)
        ? writeAnswer(socket, problem.statusCode, {
            type: 'text/plain',
            body: texts.cookiesTooLarge,
          })
        : writeProblem(socket, problem)
      // Of what could not be read there is no method and no path.
      log.info({ reqId, status: problem.statusCode, reason: error.code }, 'answered')
    }
    socket.destroy(error)
  }
}

/** Before whatever else looks at a request. Node is told not to look for the host itself (server.ts). */
export function refuseUnserved(app: FastifyInstance) {
  const logAnswer = createAnswerLog(app.log)
  const refuse = (request: IncomingMessage, socket: Duplex, problem: AppError) => {
    const { method = '', url = '' } = request
    const id = writeProblem(socket, problem)
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

function toUnparsedError({ code }: ConnectionError) {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError(408, 'request_timeout', texts.requestTimeout)
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(431, 'headers_too_large', texts.headersTooLarge)
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError(413, 'payload_too_large', texts.payloadTooLarge)
    default:
      return new AppError(400, 'invalid_request', texts.invalidRequest)
  }
}

/** By what it says that it reads, which stands before its cookies: of the headers there is this text alone. */
function isBrowserOverflow({ code, rawPacket }: ConnectionError) {
  return code === 'HPE_HEADER_OVERFLOW' && ASKS_FOR_PAGE.test(String(rawPacket))
}

function writeProblem(socket: Duplex, problem: AppError) {
  const body = JSON.stringify(buildProblemBody(problem))
  return writeAnswer(socket, problem.statusCode, { type: 'application/json', body })
}

/** Returns the id by which the answer is found in the log. */
function writeAnswer(
  socket: Duplex,
  statusCode: number,
  { type, body }: { type: string; body: string },
) {
  const id = newId()
  const headers = {
    ...PLAIN_HEADERS,
    'x-request-id': id,
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const status = `${statusCode} ${STATUS_CODES[statusCode]}`
  socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  return id
}
