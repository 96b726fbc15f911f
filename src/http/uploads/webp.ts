// An image of ours as WebP, as few bytes as nobody sees: each payer's phone loads them.

import type { Sharp, SharpOptions } from 'sharp'

type SharpFactory = (input: Buffer, options?: SharpOptions) => Sharp

/** `quality`: WebP's, of 1 to 100. `isDrawing`: of few colours as a rule, as a logo is. */
export type WebpLook = { quality: number; isDrawing?: boolean }

/** The most, for what is encoded once. */
const EFFORT = 6
/** The edges of letters on nothing weigh most, and are seen no worse for a third less. */
const ALPHA_QUALITY = 60
const DRAWING_COLORS = 16
/** A peak signal-to-noise ratio of 40 dB of 255 levels, where nobody sees a difference any more. */
const MAX_SQUARED_ERROR = 255 ** 2 / 10 ** 4

/** @param pixels in any format that sharp reads */
export async function encodeWebp(
  sharp: SharpFactory,
  pixels: Buffer,
  { quality, isDrawing = false }: WebpLook,
): Promise<Buffer> {
  const options = { quality, alphaQuality: ALPHA_QUALITY, effort: EFFORT }
  const webp = await sharp(pixels).webp(options).toBuffer()
  const drawing = isDrawing && (await encodeDrawing(sharp, pixels))
  return drawing && drawing.length < webp.length ? drawing : webp
}

/** What a few colours make up is smaller and sharper in exactly these. Undefined where they do not make it up. */
async function encodeDrawing(sharp: SharpFactory, pixels: Buffer) {
  const palette = { palette: true, colours: DRAWING_COLORS, dither: 0 }
  const reduced = await sharp(pixels).png(palette).toBuffer()
  const [wanted, kept] = await Promise.all([
    readOnWhite(sharp, pixels),
    readOnWhite(sharp, reduced),
  ])
  if (measureSquaredError(wanted, kept) > MAX_SQUARED_ERROR) return undefined
  return sharp(reduced).webp({ lossless: true, effort: EFFORT }).toBuffer()
}

function readOnWhite(sharp: SharpFactory, pixels: Buffer) {
  return sharp(pixels).flatten({ background: '#fff' }).removeAlpha().raw().toBuffer()
}

function measureSquaredError(wanted: Buffer, kept: Buffer) {
  const sum = wanted.reduce((sum, level, i) => sum + (level - (kept[i] ?? 0)) ** 2, 0)
  return sum / wanted.length
}
