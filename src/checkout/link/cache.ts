// The links that payers open, kept in memory until the database says that they changed.

import { remember } from '../../database/cache.ts'
import type { Database } from '../../database/connect.ts'
import type { Listener } from '../../database/notifications.ts'
import { findLinkBySlug, type LinkWithCompany } from '../../payment-links/payment-link.ts'

const KEPT = 2_000
const SLUG = /^[2-9A-HJ-NP-Za-km-z]{10}$/

export type FindLink = (slug: string) => Promise<LinkWithCompany | undefined>

export function rememberLinks(db: Database, listener: Listener): FindLink {
  const find = remember((slug) => findLinkBySlug(db, slug), {
    listener,
    forget: {
      link_changed: ({ link }, slug) => link.slug === slug,
      company_changed: ({ company }, id) => company.id === id,
      // The page holds what the payer's browser needs of it.
      provider_account_changed: ({ company }, id) => company.id === id,
    },
    max: KEPT,
  })
  // What cannot be a slug never reaches the database.
  return async (slug) => (SLUG.test(slug) ? find(slug) : undefined)
}
