// Logs one structured line for each answer, with the request id that the answer contains.
import { writeSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { maskCardNumbers } from '../card-numbers.ts'

const [STANDARD_OUTPUT, STANDARD_ERROR] = [1, 2]
const MAX_UNWRITTEN_BYTES = 1_000_000

/**
 * Logs each request with its outcome. Headers, bodies and queries are never logged; an error is logged with its stack,
 * in which anything like a card number is masked.
 */
export function logRequests(app: FastifyInstance) {
  // These fields hold no secrets, and searching them for some would take longer than writing them.
  const log = app.log.child({}, { redact: [] })

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })

  app.addHook('onResponse', ({ id: reqId, method, url, apiKeyId }, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    const ms = Math.round(elapsedTime * 10) / 10
    const fields = { reqId, method, path: maskUrlSecrets(url), status, ms }
    log.info(apiKeyId ? { ...fields, apiKeyId } : fields, 'answered')
    done()
  })
}

export type LogStream = ReturnType<typeof openLogStream>

/**
 * Opens standard output for the log. A full disk must not end a program that takes payments: the next line tries again,
 * with up to a megabyte of unwritten lines.
 */
export function openLogStream() {
  const stream = pino.destination({
    dest: STANDARD_OUTPUT,
    sync: true,
    maxLength: MAX_UNWRITTEN_BYTES,
  })
  let isFailing = false
  stream.on('error', ({ message }: Error) => {
    if (!isFailing) writeComplaint(`The log cannot be written (${message}).\n`)
    isFailing = true
  })
  stream.on('write', () => {
    isFailing = false
  })
  return stream
}

function writeComplaint(sentence: string) {
  try {
    writeSync(STANDARD_ERROR, sentence)
  } catch {
    // Standard error is on the same disk.
  }
}

/** Writes JSON lines to `stream`, standard output by default. */
export function createLogger(level: string, stream?: pino.DestinationStream): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError, error: serializeError },
    redact: { paths: REDACTED_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  }
  return stream ? pino(options, stream) : pino(options)
}

// Matches up to the end of the parameters, which may have several lines.
const QUERY_PARAMS = /\nparams: [\s\S]*?(?=\n {4}at |\ncaused by |$)/g
const REDACTED_FIELDS = [
  'authorization',
  'cookie',
  'token',
  'secret',
  'key',
  'password',
  'taxId',
  'card',
]

/** Removes the parameters of a failed statement from a database error, since they are personal data. */
function serializeError(error: Error & { code?: string }) {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : ''
  const stack = `${error.stack ?? error.message}${cause}`.replace(QUERY_PARAMS, '')
  return { type: error.name, code: error.code, stack: maskCardNumbers(stack) }
}

const SECRET_URL_PARTS =
  /(\/payments\/[0-9A-Za-z]{4})[0-9A-Za-z]{20}|(\/painel\/(?:convite|senha)\/).+|^(\/webhooks\/[a-z-]+\/[\w-]{4})[\w-]+/

/**
 * Matches personal data in place of an id in a path: an e-mail address, a CPF, a CNPJ. It starts at a slash only, since
 * otherwise a path of 15 kB takes 0.1 s.
 */
const PERSONAL_PARTS =
  /(?<=\/)[^/]*(?:@|%40)[^/]*|\b\d{3}\.?\d{3}\.?\d{3}-?\d{2}\b|\b\d{2}\.?\d{3}\.?\d{3}(?:\/|%2F)?\d{4}-?\d{2}\b/gi

/** Removes the query, and masks the part of an address that gives access or names a person. */
function maskUrlSecrets(url: string) {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return maskCardNumbers(path).replace(SECRET_URL_PARTS, '$1$2$3…').replace(PERSONAL_PARTS, '…')
}
