// The image of a link, converted from an upload by http/image.ts. The link has the hash of its image, so that
// pages need no further query.

import type { Database } from '../database/connect.ts'
import { and, eq, isNotNull, ne } from '../database/drizzle.ts'
import type { CreateContext } from '../database/id.ts'
import { paymentLinkImages, paymentLinks } from '../database/tables.ts'
import { conflictError } from '../http/errors.ts'
import { encodeImage, hashImage, IMAGE_CONTENT_TYPE, type ImageRefusal } from '../http/image.ts'
import type { LinkRow } from './payment-link.ts'
import { linkTexts } from './texts.ts'

export const LINK_IMAGE_MAX_BYTES = 5 * 1024 ** 2

/** Chats show the image of a link up to 1200 pixels wide. */
const STORED_IMAGE = { width: 1200, height: 1200, quality: 85 }

type SaveImageResult = { kind: 'saved'; link: LinkRow } | { kind: 'refused'; reason: ImageRefusal }

export async function saveLinkImage(
  db: Database,
  { id, companyId }: LinkRow,
  bytes: Buffer,
  now: Date,
): Promise<SaveImageResult> {
  const limits = { maxBytes: LINK_IMAGE_MAX_BYTES, stored: STORED_IMAGE }
  const encoded = await encodeImage(bytes, limits, companyId)
  if (encoded.kind === 'refused') return encoded
  const { content, hash: imageHash } = encoded
  const updatedAt = now.toISOString()
  return db.transaction(async (tx) => {
    const [link] = await tx
      .update(paymentLinks)
      .set({ imageHash, updatedAt })
      .where(and(eq(paymentLinks.id, id), ne(paymentLinks.status, 'archived')))
      .returning()
    if (!link) throw conflictError('link_archived', linkTexts.archived)
    const image = { contentType: IMAGE_CONTENT_TYPE, content, updatedAt }
    await tx
      .insert(paymentLinkImages)
      .values({ linkId: id, ...image })
      .onConflictDoUpdate({ target: paymentLinkImages.linkId, set: image })
    return { kind: 'saved', link }
  })
}

/** Changes nothing when there is no image. */
export async function removeLinkImage(db: Database, { id, status }: LinkRow, now: Date) {
  if (status === 'archived') throw conflictError('link_archived', linkTexts.archived)
  await db.transaction(async (tx) => {
    await tx
      .update(paymentLinks)
      .set({ imageHash: null, updatedAt: now.toISOString() })
      .where(and(eq(paymentLinks.id, id), isNotNull(paymentLinks.imageHash)))
    await tx.delete(paymentLinkImages).where(eq(paymentLinkImages.linkId, id))
  })
}

export async function findLinkImage(db: Database, linkId: string) {
  const [image] = await db
    .select({ contentType: paymentLinkImages.contentType, content: paymentLinkImages.content })
    .from(paymentLinkImages)
    .where(eq(paymentLinkImages.linkId, linkId))
  return image
}

/** Copies the image for a link that is about to be created with this id; null when the image was removed meanwhile. */
export async function copyLinkImage(db: Database, source: LinkRow, { id, now }: CreateContext) {
  const image = await findLinkImage(db, source.id)
  if (!image) return null
  const copy = { ...image, updatedAt: now.toISOString() }
  await db
    .insert(paymentLinkImages)
    .values({ linkId: id, ...copy })
    .onConflictDoUpdate({ target: paymentLinkImages.linkId, set: copy })
  return hashImage(image.content)
}
