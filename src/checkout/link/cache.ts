// The links that payers open, kept in memory until the database says that they changed.

import { findCompany } from '../../companies/company.ts'
import { createCache } from '../../database/cache.ts'
import type { Database } from '../../database/connect.ts'
import type { Listener } from '../../database/notifications.ts'
import { findLinkBySlug } from '../../payment-links/payment-link.ts'
import type { FindLink } from '../needs.ts'

const MAX_CACHED_LINKS = 2_000
const MAX_CACHED_COMPANIES = 500
const SLUG_FORMAT = /^[2-9A-HJ-NP-Za-km-z]{10}$/

export function createLinkCache(db: Database, listener: Listener): FindLink {
  // For the links of one company all that is known of it is the same object.
  const findOwner = createCache((id) => findCompany(db, id), {
    listener,
    evict: { company_changed: (company, id) => company.id === id },
    maxEntries: MAX_CACHED_COMPANIES,
  })
  const find = createCache(findWithOwner, {
    listener,
    evict: {
      link_changed: ({ link }, slug) => link.slug === slug,
      company_changed: ({ company }, id) => company.id === id,
      // The page holds what the payer's browser needs of it.
      provider_account_changed: ({ company }, id) => company.id === id,
    },
    maxEntries: MAX_CACHED_LINKS,
  })
  // What cannot be a slug never reaches the database.
  const findLink = async (slug: string) => (SLUG_FORMAT.test(slug) ? find(slug) : undefined)
  return Object.assign(findLink, { peek: find.peek })

  async function findWithOwner(slug: string) {
    const link = await findLinkBySlug(db, slug)
    const company = link && (await findOwner(link.companyId))
    return company && { link, company }
  }
}
