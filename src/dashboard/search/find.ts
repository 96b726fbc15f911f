// Searches a company's payments, links and customers, each newest first. A name that belongs to exactly one payment
// finds that payment.
import { findCustomer } from '../../customers/customer.ts'
import { listCustomers } from '../../customers/list.ts'
import type { Database } from '../../database/connect.ts'
import { isUuid, MAX_UUID } from '../../database/id.ts'
import { listSearchedWords } from '../../lists/words.ts'
import { listPaymentLinks } from '../../payment-links/list/list.ts'
import { findPaymentLink } from '../../payment-links/payment-link.ts'
import { listTransactions } from '../../transactions/list/list.ts'
import { searchPayment } from '../../transactions/search.ts'
import type { TypedSearch } from '../layout/lists/search-words.ts'

type Search = { companyId: string; search: TypedSearch; limit: number; now: Date }

/** Lists up to `limit + 1` of each. */
export async function findAll(db: Database, wanted: Search) {
  const [payments, links, people] = await Promise.all([
    findPayments(db, wanted),
    findLinks(db, wanted),
    findPeople(db, wanted),
  ])
  return { payments, links, people }
}

async function findPayments(db: Database, { companyId, search, limit }: Search) {
  const { word } = search
  const named = word && (await searchPayment(db, companyId, word))
  const filters = named || { search }
  return listTransactions(db, companyId, { limit, cursor: MAX_UUID, ...filters })
}

async function findLinks(db: Database, { companyId, search, limit, now }: Search) {
  const { word, words } = search
  const named = word && isUuid(word) && (await findPaymentLink(db, companyId, word))
  if (named) return [named]
  // For a day alone, only links that name it: the day itself is meant for payments.
  const wanted = words.length > 0 ? search : { words: listSearchedWords(search) }
  const query = { limit, cursor: MAX_UUID, search: wanted, isArchivedShown: true as const }
  return listPaymentLinks(db, companyId, query, now)
}

/** Customers have no day, but may have a name like one. */
async function findPeople(db: Database, { companyId, search, limit }: Search) {
  const { word } = search
  const named = word && isUuid(word) && (await findCustomer(db, companyId, word))
  if (named) return [named]
  const wanted = { words: listSearchedWords(search) }
  return listCustomers(db, companyId, { limit, cursor: MAX_UUID, search: wanted })
}
