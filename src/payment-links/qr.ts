// Draws QR codes as one SVG path, with one run for each row; a link's code also as a file to print.
import type { FastifyReply } from 'fastify'
import encodeQR from 'qr'
import type { LinkRow } from './payment-link.ts'
import { linkUrl } from './serialize.ts'
import { linkTexts } from './texts.ts'

const QUIET_ZONE = 4
const MAX_CACHED_QRS = 500
/** The picture has at least this width; each module is a whole number of pixels. */
const MIN_WIDTH = 1024
/** At this density in dots per inch an SVG unit is a pixel. */
const DENSITY = 72

/** Caches the last few hundred drawings, since pages are reloaded and a drawing takes 1 ms. */
export function createQrDrawer() {
  const cached = new Map<string, string>()
  return (text: string) => {
    const known = cached.get(text)
    if (known) return known
    const svg = drawQr(text)
    const [oldest = text] = cached.keys()
    if (cached.size >= MAX_CACHED_QRS) cached.delete(oldest)
    cached.set(text, svg)
    return svg
  }
}

/**
 * Draws inline SVG, black on white in every colour scheme, with a quiet zone of 4 modules (ISO 18004). `label` is not
 * escaped; without one, the text beside the code names it.
 */
export function drawQr(text: string, label?: string) {
  const name = label === undefined ? 'aria-hidden="true"' : `role="img" aria-label="${label}"`
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const path = rows.map((row, y) => drawRuns(row, y)).join('')
  const size = rows.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" ${name} shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
}

export const QR_FORMATS = ['svg', 'png'] as const
type QrFile = {
  checkoutUrl: string
  format: (typeof QR_FORMATS)[number]
  disposition: 'inline' | 'attachment'
}

/** Sends the code of a link as a file. */
export async function sendLinkQr(
  reply: FastifyReply,
  link: Pick<LinkRow, 'title' | 'slug'>,
  { checkoutUrl, format, disposition }: QrFile,
) {
  const svg = drawLinkQr(link, checkoutUrl)
  const name = buildQrFileName(link, format)
  return reply
    .type(format === 'svg' ? 'image/svg+xml' : 'image/png')
    .header('content-disposition', `${disposition}; filename="${name}"`)
    .send(format === 'svg' ? svg : await renderPng(svg))
}

function drawLinkQr({ slug }: Pick<LinkRow, 'slug'>, checkoutUrl: string) {
  return drawQr(linkUrl(checkoutUrl, slug), linkTexts.qr)
}

export async function renderPng(svg: string): Promise<Buffer> {
  // Loaded only for a download, since it is large.
  const { default: sharp } = await import('sharp')
  const { width } = await sharp(Buffer.from(svg)).metadata()
  const density = DENSITY * Math.ceil(MIN_WIDTH / width)
  return sharp(Buffer.from(svg), { density }).png({ palette: true }).toBuffer()
}

/** Returns `qr-bolo-de-cenoura.png`, with the slug for a title without ASCII letters. */
function buildQrFileName(
  { title, slug }: { title: string; slug: string },
  format: QrFile['format'],
) {
  const words = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const name = (words ?? []).join('-').slice(0, 48).replace(/-$/, '')
  return `qr-${name || slug}.${format}`
}

function drawRuns(row: boolean[], y: number) {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue
    let end = x
    while (row[end]) end++
    path += `M${x} ${y}h${end - x}v1H${x}z`
    x = end
  }
  return path
}
