// A company's logos, as http/uploads/image.ts makes them of what people upload: one, and another for the
// dark scheme where the first would be lost in it.

import type { Database } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
import { companyLogos } from '../database/tables.ts'
import { encodeImage, IMAGE_CONTENT_TYPE, type ImageRefusal } from '../http/uploads/image.ts'
import type { ColorScheme } from './brand-color.ts'
import { type LogoChanges, updateCompany } from './company.ts'

export const LOGO_MAX_BYTES = 512 * 1024

/** Three times what pages show of one, and no less high than chats ask for. So small nobody sees what 85 would add. */
const STORED_LOGO = { width: 480, height: 200, quality: 60, isDrawing: true }
/** From here on it holds a name, as a rule. */
const WIDE_RATIO = 2

export type EncodedLogo = {
  kind: 'encoded'
  content: Buffer
  hash: string
  isWide: boolean
  isOpaque: boolean
}

type EncodeLogoResult = EncodedLogo | { kind: 'refused'; reason: ImageRefusal }

/** `noLight`: one for the dark scheme stands beside another, never alone. */
type SaveLogoResult = { kind: 'saved'; url: string } | { kind: 'noLight' }

type NewLogo = { companyId: string; scheme: ColorScheme; logo: EncodedLogo }
type SaveLogoContext = { baseUrl: string; now: Date }

export async function encodeLogo(bytes: Buffer, companyId: string): Promise<EncodeLogoResult> {
  const limits = { maxBytes: LOGO_MAX_BYTES, stored: STORED_LOGO }
  const encoded = await encodeImage(bytes, limits, companyId)
  if (encoded.kind === 'refused') return encoded
  const { width, height, ...rest } = encoded
  return { ...rest, isWide: width >= WIDE_RATIO * height }
}

/** Shown at once, at an address that no other image of the company has. `companyId`: the real one. */
export async function saveLogo(
  db: Database,
  { companyId, scheme, logo }: NewLogo,
  { baseUrl, now }: SaveLogoContext,
): Promise<SaveLogoResult> {
  const folder = `${baseUrl}/logos/${companyId}`
  const url = `${folder}/${scheme === 'dark' ? 'escuro/' : ''}${logo.hash}.webp`
  return db.transaction(async (tx) => {
    const { content } = logo
    const updatedAt = now.toISOString()
    if (scheme === 'dark') {
      const dark = { darkContent: content, updatedAt }
      const written = await tx
        .update(companyLogos)
        .set(dark)
        .where(eq(companyLogos.companyId, companyId))
        .returning({ id: companyLogos.companyId })
      if (written.length === 0) return { kind: 'noLight' }
    } else {
      const light = { contentType: IMAGE_CONTENT_TYPE, content, updatedAt }
      await tx
        .insert(companyLogos)
        .values({ companyId, ...light })
        .onConflictDoUpdate({ target: companyLogos.companyId, set: light })
    }
    await updateCompany(tx, companyId, describeLogo(scheme, url, logo), now)
    return { kind: 'saved', url }
  })
}

/** What a company's row says of a logo. */
export function describeLogo(
  scheme: ColorScheme,
  url: string,
  { isWide, isOpaque }: EncodedLogo,
): LogoChanges {
  return scheme === 'dark'
    ? { logoDarkUrl: url, logoDarkWide: isWide }
    : { logoUrl: url, logoWide: isWide, logoOpaque: isOpaque }
}

/** As it is served. */
export async function findLogo(db: Database, companyId: string, scheme: ColorScheme = 'light') {
  const { contentType, content, darkContent } = companyLogos
  const [logo] = await db
    .select({ contentType, content: scheme === 'dark' ? darkContent : content })
    .from(companyLogos)
    .where(eq(companyLogos.companyId, companyId))
  return logo?.content ? { ...logo, content: logo.content } : undefined
}

/** The one for the dark scheme goes with the other. */
export async function removeLogo(
  db: Database,
  { companyId, scheme }: { companyId: string; scheme: ColorScheme },
  now: Date,
) {
  const isOne = eq(companyLogos.companyId, companyId)
  const noDark = { logoDarkUrl: null, logoDarkWide: false }
  await db.transaction(async (tx) => {
    if (scheme === 'dark') {
      await tx.update(companyLogos).set({ darkContent: null }).where(isOne)
      await updateCompany(tx, companyId, noDark, now)
      return
    }
    await tx.delete(companyLogos).where(isOne)
    const noLight = { logoUrl: null, logoWide: false, logoOpaque: false }
    await updateCompany(tx, companyId, { ...noLight, ...noDark }, now)
  })
}
