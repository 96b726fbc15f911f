// A company's logo, as http/uploads/image.ts makes one of what people upload.

import type { Database } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
import { companyLogos } from '../database/tables.ts'
import { encodeImage, IMAGE_CONTENT_TYPE, type ImageRefusal } from '../http/uploads/image.ts'
import { updateCompany } from './company.ts'

export const LOGO_MAX_BYTES = 512 * 1024

const STORED_LOGO_SIDE = 512

type SaveLogoResult = { kind: 'saved'; logoUrl: string } | { kind: 'refused'; reason: ImageRefusal }

type NewLogo = { companyId: string; bytes: Buffer }
type SaveLogoContext = { baseUrl: string; now: Date }

/** Shown at once, at an address that no other image of the company has. `companyId`: the real one. */
export async function saveLogo(
  db: Database,
  { companyId, bytes }: NewLogo,
  { baseUrl, now }: SaveLogoContext,
): Promise<SaveLogoResult> {
  const limits = { maxBytes: LOGO_MAX_BYTES, storedSide: STORED_LOGO_SIDE }
  const encoded = await encodeImage(bytes, limits)
  if (encoded.kind === 'refused') return encoded
  const { content, hash } = encoded
  const logoUrl = `${baseUrl}/logos/${companyId}/${hash}.webp`
  await db.transaction(async (tx) => {
    const logo = { contentType: IMAGE_CONTENT_TYPE, content, updatedAt: now.toISOString() }
    await tx
      .insert(companyLogos)
      .values({ companyId, ...logo })
      .onConflictDoUpdate({ target: companyLogos.companyId, set: logo })
    await updateCompany(tx, companyId, { logoUrl }, now)
  })
  return { kind: 'saved', logoUrl }
}

/** As it is served. */
export async function findLogo(db: Database, companyId: string) {
  const [logo] = await db
    .select({ contentType: companyLogos.contentType, content: companyLogos.content })
    .from(companyLogos)
    .where(eq(companyLogos.companyId, companyId))
  return logo
}

export async function removeLogo(db: Database, companyId: string, now: Date) {
  await db.transaction(async (tx) => {
    await tx.delete(companyLogos).where(eq(companyLogos.companyId, companyId))
    await updateCompany(tx, companyId, { logoUrl: null }, now)
  })
}
