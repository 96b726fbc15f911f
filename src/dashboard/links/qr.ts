// The QR code of a link's address as a file that people print.

/** The picture is at least so wide; each module is a whole number of pixels. */
const MIN_WIDTH = 1024
/** At so many dots an inch an SVG's unit is a pixel. */
const DENSITY = 72

export async function renderPng(svg: string): Promise<Buffer> {
  // Only who downloads a picture needs it, and it is big.
  const { default: sharp } = await import('sharp')
  const { width } = await sharp(Buffer.from(svg)).metadata()
  const density = DENSITY * Math.ceil(MIN_WIDTH / width)
  return sharp(Buffer.from(svg), { density }).png({ palette: true }).toBuffer()
}

/** `qr-bolo-de-cenoura.png`; the slug where a title has no letters of ASCII. */
export function buildQrFileName(
  { title, slug }: { title: string; slug: string },
  ending: 'svg' | 'png',
) {
  const words = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const name = (words ?? []).join('-').slice(0, 48).replace(/-$/, '')
  return `qr-${name || slug}.${ending}`
}
