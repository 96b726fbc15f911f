// The links that payers open, read anew at each request.

import type { Database } from '../../database/connect.ts'
import { findLinkBySlug } from '../../payment-links/payment-link.ts'
import type { FindLink } from '../needs.ts'

const SLUG_FORMAT = /^[2-9A-HJ-NP-Za-km-z]{10}$/

/** What cannot be a slug never reaches the database. */
export function createLinkFinder(db: Database): FindLink {
  return async (slug) => (SLUG_FORMAT.test(slug) ? findLinkBySlug(db, slug) : undefined)
}
