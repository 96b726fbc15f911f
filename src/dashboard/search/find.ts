// What of a company somebody means by what they typed: payments first, then links, then people, each newest
// first. Who types a name that is one payment's alone finds that one.
import { findCustomer } from '../../customers/customer.ts'
import { listCustomersByIds } from '../../customers/list.ts'
import type { Database } from '../../database/connect.ts'
import { buildMaxUuid, buildMinUuid, isUuid, MAX_UUID } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'
import { findLinksByIds } from '../../payment-links/list/list.ts'
import { findPaymentLink } from '../../payment-links/payment-link.ts'
import { foldLatest } from '../../search/fold.ts'
import { findMatches } from '../../search/match.ts'
import { listTransactions } from '../../transactions/list.ts'
import { searchPayment } from '../../transactions/search.ts'
import type { TypedSearch } from '../layout/lists/search-words.ts'

type Search = { companyId: string; search: TypedSearch; limit: number }

/** Up to `limit + 1` of each. */
export async function findAll(db: Database, wanted: Search) {
  await foldLatest(db)
  const [payments, links, people] = await Promise.all([
    findPayments(db, wanted),
    findLinks(db, wanted),
    findPeople(db, wanted),
  ])
  return { payments, links, people }
}

async function findPayments(db: Database, wanted: Search) {
  const { companyId, search, limit } = wanted
  const { word, words, day } = search
  const named = word && (await searchPayment(db, companyId, word))
  const filters = named || {
    ...(words.length > 0 && { search: words }),
    ...(day && { effectiveFrom: day.from, effectiveTo: day.to }),
  }
  const { rows } = await listTransactions(db, companyId, { limit, cursor: MAX_UUID, ...filters })
  return rows
}

async function findLinks(db: Database, wanted: Search) {
  const { companyId, search } = wanted
  const named =
    search.word && isUuid(search.word) && (await findPaymentLink(db, companyId, search.word))
  if (named) return [named]
  return keepDay(wanted, await findLinksByIds(db, await findIds(db, 'link', wanted)))
}

/** Nobody is of a day. */
async function findPeople(db: Database, wanted: Search) {
  const { companyId, search } = wanted
  if (search.day) return []
  const named =
    search.word && isUuid(search.word) && (await findCustomer(db, companyId, search.word))
  if (named) return [named]
  return listCustomersByIds(db, companyId, await findIds(db, 'customer', wanted))
}

/** An id says when it was made, give or take this (payment-links/list/query-plan.ts). */
const ID_SKEW_MS = DAY_MS
/** A day and what lies around it. */
const DAY_FACTOR = 3

async function findIds(
  db: Database,
  kind: 'link' | 'customer',
  { companyId, search, limit }: Search,
) {
  const { words, day } = search
  if (words.length === 0) return []
  if (!day) return findMatches(db, { companyId, kind, words, limit: limit + 1 })
  const above = buildMinUuid(Date.parse(day.from) - ID_SKEW_MS)
  const below = buildMaxUuid(Date.parse(day.to) + ID_SKEW_MS)
  return findMatches(db, { companyId, kind, words, above, below, limit: (limit + 1) * DAY_FACTOR })
}

function keepDay<Row extends { createdAt: string }>(
  { search: { day }, limit }: Search,
  rows: Row[],
) {
  const kept = day ? rows.filter(({ createdAt: at }) => at >= day.from && at <= day.to) : rows
  return kept.slice(0, limit + 1)
}
