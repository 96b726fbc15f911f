// Converts uploaded images: checks the bytes, reads them within limits and encodes them again, so that the images that
// we serve are small and have neither metadata nor code.

import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Metadata } from 'sharp'
import { formatBytes } from '../format.ts'
import { notFoundError, unavailableError } from './errors.ts'
import { createSlots } from './limiter.ts'

const IMAGE_MAX_SIDE = 4096

const TIMEOUT_S = 10
/** The highest effort, since an image is encoded once and loaded by each payer's phone. */
const EFFORT = 6
/** Soft edges of letters take the most bytes; at this quality they take a third less and look the same. */
const ALPHA_QUALITY = 60
/** Includes the image that is being converted. Each waiting upload is kept in memory. */
const MAX_WAITING = 16
const MAX_WAITING_OF_COMPANY = 4
const RETRY_AFTER_S = 5
const IMAGE_HASH_LENGTH = 16
const IMAGE_FILE = /^[0-9a-f]{16}\.webp$/

export const IMAGE_CONTENT_TYPE = 'image/webp'

/** Headers that only pages need: without them a payer's phone loads half a kilobyte less. */
const DOCUMENT_HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
]

export type ImageRefusal = 'too_big' | 'wrong_format' | 'too_wide' | 'too_heavy' | 'unreadable'

type EncodedImage =
  | { kind: 'encoded'; content: Buffer; hash: string }
  | { kind: 'refused'; reason: ImageRefusal }

/**
 * `stored`: the largest width and height in pixels, with the proportions kept, and the quality of WebP from 1 to 100.
 */
type ImageLimits = {
  maxBytes: number
  stored: { width: number; height: number; quality: number }
}

const slots = createSlots({
  max: MAX_WAITING,
  maxOfCompany: MAX_WAITING_OF_COMPANY,
  refuse: () => unavailableError(RETRY_AFTER_S),
  refuseCompany: () => unavailableError(RETRY_AFTER_S),
})
let turn: Promise<unknown> = Promise.resolve()

export async function encodeImage(
  bytes: Buffer,
  limits: ImageLimits,
  companyId: string,
): Promise<EncodedImage> {
  if (bytes.length > limits.maxBytes) return { kind: 'refused', reason: 'too_big' }
  // Checked before the library sees the bytes, since it reads many more formats.
  const format = detectImageFormat(bytes)
  if (!format) return { kind: 'refused', reason: 'wrong_format' }
  return takeTurn(companyId, () => convertImage(bytes, format, limits))
}

/** Converts one image at a time, so that memory and time do not depend on the number of uploads. */
async function takeTurn(companyId: string, convert: () => Promise<EncodedImage>) {
  const release = slots.reserve(companyId)
  const converting = turn.then(convert).finally(release)
  turn = converting.catch(() => {})
  return converting
}

async function convertImage(
  bytes: Buffer,
  format: string,
  { stored: { width, height, quality } }: ImageLimits,
): Promise<EncodedImage> {
  const { default: sharp } = await import('sharp')
  // By default sharp caches the unpacked pixels, 50 MB of each large image.
  sharp.cache(false)
  try {
    // Reads only the head of the image, to know its size before unpacking it.
    const head = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (head.format !== format) return { kind: 'refused', reason: 'wrong_format' }
    if (Math.max(head.width, head.height) > IMAGE_MAX_SIDE)
      return { kind: 'refused', reason: 'too_wide' }
    if (estimateWork(head) > IMAGE_MAX_SIDE ** 2) return { kind: 'refused', reason: 'too_heavy' }
    const content = await sharp(bytes, { limitInputPixels: IMAGE_MAX_SIDE ** 2, failOn: 'error' })
      .autoOrient()
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .webp({ quality, alphaQuality: ALPHA_QUALITY, effort: EFFORT })
      .timeout({ seconds: TIMEOUT_S })
      .toBuffer()
    return { kind: 'encoded', content, hash: hashImage(content) }
  } catch {
    return { kind: 'refused', reason: 'unreadable' }
  }
}

/** Estimates the work in pixels of a plain image: 16 bits a channel and interlacing each take about twice as long. */
function estimateWork({ format, width, height, depth, isProgressive }: Metadata) {
  const isInterlaced = format === 'png' && isProgressive
  return width * height * (depth === 'ushort' ? 2 : 1) * (isInterlaced ? 2 : 1)
}

export function describeImageRefusal(reason: ImageRefusal, maxBytes: number) {
  return IMAGE_TEXTS[reason](maxBytes)
}

const IMAGE_TEXTS: Record<ImageRefusal, (maxBytes: number) => string> = {
  too_big: (bytes) => `Envie uma imagem de até ${formatBytes(bytes)}.`,
  wrong_format: () => 'Envie uma imagem PNG, JPEG ou WebP.',
  too_wide: () => `Envie uma imagem de até ${IMAGE_MAX_SIDE} × ${IMAGE_MAX_SIDE} pixels.`,
  too_heavy: () =>
    'Esta imagem demora demais para abrir. Salve-a com 8 bits por canal e sem entrelaçamento, ou menor.',
  unreadable: () => 'Não foi possível ler esta imagem. Envie outra.',
}

/** Returns the hash that the address of an image contains. */
export function hashImage(content: Buffer) {
  return hash('sha256', content).slice(0, IMAGE_HASH_LENGTH)
}

/** Whether a file name can be one of our images; other names need no query. */
export function isImageFile(file: string) {
  return IMAGE_FILE.test(file)
}

type StoredImage = { contentType: string; content: Buffer }

/**
 * Sends an image. Its address contains its hash, so it may be kept for ever; a former address gets the current image.
 */
export function sendImage(reply: FastifyReply, image: StoredImage | undefined, file: string) {
  if (!image) throw notFoundError()
  const current = `${hashImage(image.content)}.webp`
  if (file !== current) return reply.redirect(current, 302)
  for (const name of DOCUMENT_HEADERS) reply.removeHeader(name)
  return reply
    .type(image.contentType)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .send(image.content)
}

function detectImageFormat(bytes: Buffer) {
  const starts = bytes.toString('latin1', 0, 12)
  if (starts.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (starts.startsWith('\xff\xd8\xff')) return 'jpeg'
  return /^RIFF....WEBP$/s.test(starts) ? 'webp' : undefined
}
