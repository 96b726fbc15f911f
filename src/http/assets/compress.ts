// What never changes is compressed once, as small as it gets, when a browser first asks for it so.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

type Encoding = keyof typeof COMPRESS

/** Somebody waits: megabytes take half a second so, and eight for another tenth. */
const LARGE_BYTES = 1_000_000
const LARGE_QUALITY = 9

/** The smallest first. */
const COMPRESS = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        ...(content.length > LARGE_BYTES && { [constants.BROTLI_PARAM_QUALITY]: LARGE_QUALITY }),
      },
    }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
}
const ENCODINGS: Encoding[] = ['br', 'gzip']
const REFUSED = /;\s*q=0(\.0*)?\s*$/i

/** The content in an encoding, read and made at its first use and kept. Brotli's own default is its best. */
export function createCompressor(read: () => Buffer) {
  const made = new Map<Encoding, Promise<Buffer>>()
  return (encoding: Encoding) => {
    const known = made.get(encoding)
    if (known) return known
    const compressed = COMPRESS[encoding](read())
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
