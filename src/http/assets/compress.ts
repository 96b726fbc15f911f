// What never changes is compressed once, as small as it gets, when a browser first asks for it so; a page of the
// checkout is compressed as it is sent.

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

type Encoding = keyof typeof COMPRESS

/** A client waits: at this quality megabytes take half a second; the best takes eight, to save another tenth. */
const LARGE_BYTES = 1_000_000
const LARGE_QUALITY = 9

/** The smallest first. Without a quality as small as it gets. */
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

/** The content in an encoding, read and made at its first use and kept. Brotli's own default is its best. */
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

/** @param accepted the Accept-Encoding of a request */
export function chooseEncoding(accepted = ''): Encoding | undefined {
  const names = accepted
    .split(',')
    .filter((part) => !REFUSED.test(part))
    .map((part) => part.replace(/;.*/, '').trim().toLowerCase())
  return ENCODINGS.find((encoding) => names.includes(encoding))
}

/** A page is made anew for each payer: fast comes before small. */
const PAGE_QUALITY = 5

/**
 * Compresses the pages that a browser without a cookie opens. A page for a browser that is known stays as it is: it
 * names its payer beside words of its address, and its length would tell a stranger which words are the same.
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
