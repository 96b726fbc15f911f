// The picture of a Pix code: one path of row runs, a tenth of a square per module.
import encodeQR from 'qr'

const QUIET_ZONE = 4
const MAX_CACHED_QRS = 500

/** Draws on first sight and keeps the last few hundred: a page is reloaded, a drawing takes 1 ms. */
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

/** Inline SVG, black on white whatever the colour scheme, quiet zone of 4 modules (ISO 18004). `label` is not escaped. */
export function drawQr(text: string, label = 'QR Code do Pix') {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const path = rows.map((row, y) => drawRuns(row, y)).join('')
  const size = rows.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
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
