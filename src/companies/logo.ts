// A company's logo, converted from an upload by http/image.ts. It is shown beside the company's name; in the
// dark scheme on a light background.

import type { Database } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
import { companyLogos } from '../database/tables.ts'
import { encodeImage, IMAGE_CONTENT_TYPE } from '../http/image.ts'
import { updateCompany } from './company.ts'

export const LOGO_MAX_BYTES = 512 * 1024

/** Three times the size on pages, and high enough for previews in chats. At this size more quality is invisible. */
const STORED_LOGO = { width: 480, height: 200, quality: 60 }

export type EncodedLogo = { content: Buffer; hash: string }

export async function encodeLogo(bytes: Buffer, companyId: string) {
  return encodeImage(bytes, { maxBytes: LOGO_MAX_BYTES, stored: STORED_LOGO }, companyId)
}

type NewLogo = { companyId: string; logo: EncodedLogo }

/** Stores a logo at an address of its own. `companyId` is the real environment's. */
export async function saveLogo(
  db: Database,
  { companyId, logo: { content, hash } }: NewLogo,
  { baseUrl, now }: { baseUrl: string; now: Date },
): Promise<string> {
  const logoUrl = `${baseUrl}/logos/${companyId}/${hash}.webp`
  const image = { contentType: IMAGE_CONTENT_TYPE, content, updatedAt: now.toISOString() }
  await db.transaction(async (tx) => {
    await tx
      .insert(companyLogos)
      .values({ companyId, ...image })
      .onConflictDoUpdate({ target: companyLogos.companyId, set: image })
    await updateCompany(tx, companyId, { logoUrl }, now)
  })
  return logoUrl
}

export async function findLogo(db: Database, companyId: string) {
  const { contentType, content } = companyLogos
  const [logo] = await db
    .select({ contentType, content })
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
