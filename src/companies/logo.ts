// A company's logo. What people upload is judged by its bytes, read within limits and written anew, so
// that what is served is an image of ours: small, without metadata, and nothing that a browser runs.

import { createHash } from 'node:crypto'
import type { Database } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
import { companyLogos } from '../database/tables.ts'
import { updateCompany } from './company.ts'

export const LOGO_MAX_BYTES = 512 * 1024
export const LOGO_MAX_SIDE = 4096

const STORED_LOGO_SIDE = 512
const WEBP_QUALITY = 90
const LOGO_CONTENT_TYPE = 'image/webp'
const DECODE_TIMEOUT_S = 5
const LOGO_HASH_LENGTH = 16

/** Why an image is refused; the sentences are in logoTexts. */
type LogoRefusal = 'too_big' | 'wrong_format' | 'too_wide' | 'unreadable'

type SaveLogoResult = { kind: 'saved'; logoUrl: string } | { kind: 'refused'; reason: LogoRefusal }

type NewLogo = { companyId: string; bytes: Buffer }
type SaveLogoContext = { baseUrl: string; now: Date }

/** Shown at once, at an address that no other image of the company has. `companyId`: the real one. */
export async function saveLogo(
  db: Database,
  { companyId, bytes }: NewLogo,
  { baseUrl, now }: SaveLogoContext,
): Promise<SaveLogoResult> {
  const encoded = await encodeLogo(bytes)
  if (encoded.kind === 'refused') return encoded
  const { content } = encoded
  const logoUrl = `${baseUrl}/logos/${companyId}/${hashLogo(content)}.webp`
  await db.transaction(async (tx) => {
    const logo = { contentType: LOGO_CONTENT_TYPE, content, updatedAt: now.toISOString() }
    await tx
      .insert(companyLogos)
      .values({ companyId, ...logo })
      .onConflictDoUpdate({ target: companyLogos.companyId, set: logo })
    await updateCompany(tx, companyId, { logoUrl }, now)
  })
  return { kind: 'saved', logoUrl }
}

/** As it is served; `hash` is the part of its address that changes with it. */
export async function findLogo(db: Database, companyId: string) {
  const [logo] = await db
    .select({ contentType: companyLogos.contentType, content: companyLogos.content })
    .from(companyLogos)
    .where(eq(companyLogos.companyId, companyId))
  return logo && { ...logo, hash: hashLogo(logo.content) }
}

export async function removeLogo(db: Database, companyId: string, now: Date) {
  await db.transaction(async (tx) => {
    await tx.delete(companyLogos).where(eq(companyLogos.companyId, companyId))
    await updateCompany(tx, companyId, { logoUrl: null }, now)
  })
}

type EncodedLogo = { kind: 'encoded'; content: Buffer } | { kind: 'refused'; reason: LogoRefusal }

async function encodeLogo(bytes: Buffer): Promise<EncodedLogo> {
  if (bytes.length > LOGO_MAX_BYTES) return { kind: 'refused', reason: 'too_big' }
  // Before the library sees it, which knows many more formats than it should be given by strangers.
  const format = detectImageFormat(bytes)
  if (!format) return { kind: 'refused', reason: 'wrong_format' }
  const { default: sharp } = await import('sharp')
  try {
    // Reads the head of the image alone, so that its size can be told before it is unpacked.
    const head = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (head.format !== format) return { kind: 'refused', reason: 'wrong_format' }
    if (Math.max(head.width, head.height) > LOGO_MAX_SIDE)
      return { kind: 'refused', reason: 'too_wide' }
    const content = await sharp(bytes, { limitInputPixels: LOGO_MAX_SIDE ** 2, failOn: 'error' })
      .autoOrient()
      .resize({
        width: STORED_LOGO_SIDE,
        height: STORED_LOGO_SIDE,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp({ quality: WEBP_QUALITY })
      .timeout({ seconds: DECODE_TIMEOUT_S })
      .toBuffer()
    return { kind: 'encoded', content }
  } catch {
    return { kind: 'refused', reason: 'unreadable' }
  }
}

/** By the first bytes of the three formats that are taken. */
function detectImageFormat(bytes: Buffer) {
  const starts = bytes.toString('latin1', 0, 12)
  if (starts.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (starts.startsWith('\xff\xd8\xff')) return 'jpeg'
  return /^RIFF....WEBP$/s.test(starts) ? 'webp' : undefined
}

function hashLogo(content: Buffer) {
  return createHash('sha256').update(content).digest('hex').slice(0, LOGO_HASH_LENGTH)
}
