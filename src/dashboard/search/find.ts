// What of a company somebody means by what they typed: payments first, then links, then people, each newest
// first. Who types a name that is one payment's alone finds that one.
import { findCustomer } from '../../customers/customer.ts'
import { listCustomers } from '../../customers/list.ts'
import type { Database } from '../../database/connect.ts'
import { isUuid, MAX_UUID } from '../../database/id.ts'
import { listPaymentLinks } from '../../payment-links/list/list.ts'
import { findPaymentLink } from '../../payment-links/payment-link.ts'
import { listTransactions } from '../../transactions/list/list.ts'
import { searchPayment } from '../../transactions/search.ts'
import type { TypedSearch } from '../layout/lists/search-words.ts'

type Search = { companyId: string; search: TypedSearch; limit: number; now: Date }

/** Up to `limit + 1` of each. */
export async function findAll(db: Database, wanted: Search) {
  const [payments, links, people] = await Promise.all([
    findPayments(db, wanted),
    findLinks(db, wanted),
    findPeople(db, wanted),
  ])
  return { payments, links, people }
}

async function findPayments(db: Database, { companyId, search, limit }: Search) {
  const { word, words, day } = search
  const named = word && (await searchPayment(db, companyId, word))
  const filters = named || {
    ...(words.length > 0 && { search: words }),
    ...(day && { effectiveFrom: day.from, effectiveTo: day.to }),
  }
  return listTransactions(db, companyId, { limit, cursor: MAX_UUID, ...filters })
}

async function findLinks(db: Database, { companyId, search, limit, now }: Search) {
  const { word, words, day } = search
  const named = word && isUuid(word) && (await findPaymentLink(db, companyId, word))
  if (named) return [named]
  if (words.length === 0) return []
  const made = day && { createdFrom: day.from, createdTo: day.to }
  const query = { limit, cursor: MAX_UUID, search: words, ...made, isArchivedShown: true as const }
  return listPaymentLinks(db, companyId, query, now)
}

/** Nobody is of a day. */
async function findPeople(db: Database, { companyId, search, limit }: Search) {
  const { word, words, day } = search
  if (day || words.length === 0) return []
  const named = word && isUuid(word) && (await findCustomer(db, companyId, word))
  if (named) return [named]
  return listCustomers(db, companyId, { limit, cursor: MAX_UUID, search: words })
}
