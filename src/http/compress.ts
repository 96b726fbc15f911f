// Files that never change are compressed once, as small as possible, at the first request for that encoding. Pages of
// the checkout are compressed as they are sent.

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

type Encoding = keyof typeof COMPRESS

/** Megabytes take half a second at this quality, and eight seconds at the best one, which saves another tenth. */
const LARGE_BYTES = 1_000_000
const LARGE_QUALITY = 9

/** In order of preference: brotli is smaller. Without `quality` the result is as small as possible. */
const COMPRESS = {
  br: (content: Buffer, quality: number = constants.BROTLI_MAX_QUALITY) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        [constants.BROTLI_PARAM_QUALITY]: quality,
      },
    }),
  gzip: (content: Buffer, quality: number = constants.Z_BEST_COMPRESSION) =>
    promisify(gzip)(content, { level: quality }),
}
const ENCODINGS: Encoding[] = ['br', 'gzip']
const REFUSED = /;\s*q=0(\.0*)?\s*$/i

/** Returns a function that gives the content in an encoding, compressed at the first call and kept. */
export function createCompressor(read: () => Buffer) {
  const made = new Map<Encoding, Promise<Buffer>>()
  return (encoding: Encoding) => {
    const known = made.get(encoding)
    if (known) return known
    const content = read()
    const quality = content.length > LARGE_BYTES ? LARGE_QUALITY : undefined
    const compressed = COMPRESS[encoding](content, quality)
    made.set(encoding, compressed)
    return compressed
  }
}

export function chooseEncoding(accepted = ''): Encoding | undefined {
  const names = accepted
    .split(',')
    .filter((part) => !REFUSED.test(part))
    .map((part) => part.replace(/;.*/, '').trim().toLowerCase())
  return ENCODINGS.find((encoding) => names.includes(encoding))
}

/** A page is made anew for each payer, so speed counts more than size. */
const PAGE_QUALITY = 5

/**
 * Compresses the pages for browsers that send no cookie. Pages for known browsers stay uncompressed: they contain
 * personal data beside text from the address, and their compressed length would reveal which texts are equal.
 */
export function compressFirstPages(app: FastifyInstance) {
  app.addHook('onSend', async ({ method, headers }, reply, payload) => {
    const encoding = chooseEncoding(headers['accept-encoding'])
    const isFirst = method === 'GET' && headers.cookie === undefined
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    if (!encoding || !isFirst || !isPage || typeof payload !== 'string') return payload
    const vary = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ')
    reply.headers({ 'content-encoding': encoding, vary })
    return COMPRESS[encoding](Buffer.from(payload), PAGE_QUALITY)
  })
}
