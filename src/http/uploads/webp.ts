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
/** Nobody sees it in so small a part of an image: a signal-to-noise ratio of 36 dB, 255 levels being the peak. */
const MAX_SQUARED_ERROR = 255 ** 2 / 10 ** 3.6
/** Of so many pixels a side: in the whole of an image a small emblem's bands would be lost. */
const TILE_SIDE = 16
/** What is white is seen on black alone. */
const GROUNDS = ['#fff', '#000']

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
  for (const ground of GROUNDS) {
    const wanted = await readOn(ground, sharp(pixels))
    const kept = await readOn(ground, sharp(reduced))
    if (findLargestError(wanted, kept) > MAX_SQUARED_ERROR) return undefined
  }
  return sharp(reduced).webp({ lossless: true, effort: EFFORT }).toBuffer()
}

type Levels = { data: Buffer; info: { width: number; channels: number } }

function readOn(background: string, image: Sharp): Promise<Levels> {
  return image.flatten({ background }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
}

/** The mean square of what the levels of a tile differ by, in the tile where it is largest. */
function findLargestError({ data, info: { width, channels } }: Levels, kept: Levels) {
  const tilesInRow = Math.ceil(width / TILE_SIDE)
  const tiles = new Map<number, { sum: number; count: number }>()
  for (const [i, level] of data.entries()) {
    const pixel = Math.floor(i / channels)
    const row = Math.floor(pixel / width / TILE_SIDE)
    const place = row * tilesInRow + Math.floor((pixel % width) / TILE_SIDE)
    const { sum, count } = tiles.get(place) ?? { sum: 0, count: 0 }
    tiles.set(place, { sum: sum + (level - (kept.data[i] ?? 0)) ** 2, count: count + 1 })
  }
  return Math.max(...[...tiles.values()].map(({ sum, count }) => sum / count))
}
