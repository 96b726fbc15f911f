// Parses the bodies of the API: an empty body of any content type, or JSON in UTF-8. Others are refused.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { texts } from '../texts.ts'
import { AppError } from './errors.ts'

const CHARSET_PATTERN = /;\s*charset\s*=\s*"?([^";\s]*)/i
const UTF_8_PATTERN = /^utf-?8$/i

/** Replaces the body parsers of this scope. */
export function readJsonBodies(app: FastifyInstance) {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  app.removeAllContentTypeParsers()

  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { headers } = request.raw
    if (headers['content-length'] === '0') delete headers['content-type']
    done()
  })

  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, bytes, done) => {
      if (bytes.length === 0) return done(null)
      refuseEncodings(request)
      return parseJson(request, decodeBody(bytes), done)
    },
  )
  // The body is not read, so that a large image is refused for its type and not for its length.
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { upload } = request.routeOptions.config
    const message = upload ? texts.formExpected : texts.unsupportedMediaType
    for await (const _ of payload.iterator({ destroyOnReturn: false }))
      throw buildMediaTypeError('media_type', message)
  })

  function decodeBody(bytes: Buffer) {
    try {
      return decoder.decode(bytes)
    } catch {
      throw new AppError(400, 'invalid_encoding', texts.invalidEncoding)
    }
  }
}

function refuseEncodings({ headers }: FastifyRequest) {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw buildMediaTypeError('encoding', texts.unsupportedEncoding, {
      'accept-encoding': 'identity',
    })
  }
  const charset = CHARSET_PATTERN.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !UTF_8_PATTERN.test(charset)) {
    throw buildMediaTypeError('charset', texts.unsupportedCharset)
  }
}

function buildMediaTypeError(what: string, message: string, headers: Record<string, string> = {}) {
  return new AppError(415, `unsupported_${what}`, message, { headers })
}
