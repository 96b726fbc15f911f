// `/painel/busca`: payments, links and people of one search, newest first. A name that belongs to exactly one payment
// finds that payment.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findCustomer } from '../../customers/customer.ts'
import { listCustomers } from '../../customers/list.ts'
import type { Database } from '../../database/connect.ts'
import { isUuid, MAX_UUID } from '../../database/id.ts'
import { formatInstant, formatPhone, maskTaxId } from '../../format.ts'
import { listSearchedWords } from '../../lists/words.ts'
import { listPaymentLinks } from '../../payment-links/list/list.ts'
import { findPaymentLink } from '../../payment-links/payment-link.ts'
import { listTransactions } from '../../transactions/list/list.ts'
import { searchPayment } from '../../transactions/search.ts'
import { registerPage } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import {
  CUSTOMERS_PATH,
  customerPagePath,
  LINKS_PATH,
  linkPagePath,
  PAYMENTS_PATH,
  paymentPagePath,
} from '../layout/paths.ts'
import { parseSearch, readSearchedText, type TypedSearch } from '../layout/search-words.ts'
import { toLinkBadge } from '../links/view.ts'
import { toPaymentBadge } from '../transactions/view.ts'
import { searchTexts } from './texts.ts'

const PAGE_LIMIT = 20

export async function searchPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerPage(app, needs, '/busca', ['read', 'dashboard/search/page'], loadSearch)
}

export async function loadSearch({ db, ...needs }: DashboardNeeds, request: FastifyRequest) {
  const q = readSearchedText(request.query)
  const now = needs.now()
  const search = parseSearch(q, now)
  const companyId = request.visitor.company.id
  const wanted = search && { companyId, search, limit: PAGE_LIMIT, now }
  return {
    title: searchTexts.title,
    q,
    /** Only groups with results. */
    groups: wanted ? toFoundGroups(await findAll(db, wanted), { q, ...wanted }) : [],
  }
}

type Search = { companyId: string; search: TypedSearch; limit: number; now: Date }

/** Lists up to `limit + 1` of each. */
async function findAll(db: Database, wanted: Search) {
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

type Found = Awaited<ReturnType<typeof findAll>>

type Shown = { q: string; limit: number; now: Date }

/** `more` leads to the list with all results, if there are more. */
function toFoundGroups({ payments, links, people }: Found, { q, limit, now }: Shown) {
  const buildMore = (rows: unknown[], path: string, text: string) =>
    rows.length > limit ? { href: `${path}?${new URLSearchParams({ q })}`, text } : null
  const groups = [
    {
      ...{ id: 'payments', name: searchTexts.payments },
      items: payments.slice(0, limit).map((row) => toPaymentItem(row, now)),
      more: buildMore(payments, PAYMENTS_PATH, searchTexts.allPayments),
    },
    {
      ...{ id: 'links', name: searchTexts.links },
      items: links.slice(0, limit).map((row) => toLinkItem(row, now)),
      more: buildMore(links, LINKS_PATH, searchTexts.allLinks),
    },
    {
      ...{ id: 'people', name: searchTexts.people },
      items: people.slice(0, limit).map(toPersonItem),
      more: buildMore(people, CUSTOMERS_PATH, searchTexts.allPeople),
    },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

function toPaymentItem(row: Found['payments'][number], now: Date) {
  const { id, payerName, linkTitle, totalCents: cents } = row
  const when = formatInstant(row.approvedAt ?? row.createdAt, now)
  const badge = toPaymentBadge(row)
  return {
    href: paymentPagePath(id),
    title: payerName,
    sub: `${when} · ${linkTitle}`,
    cents,
    badge,
  }
}

function toLinkItem(row: Found['links'][number], now: Date) {
  const { id, title, slug, amountCents: cents } = row
  return { href: linkPagePath(id), title, sub: slug, cents, badge: toLinkBadge(row, now) }
}

function toPersonItem({ id, name, taxId, email, phone }: Found['people'][number]) {
  const known = [taxId && maskTaxId(taxId), email, phone && formatPhone(phone)]
  const sub = known.filter(Boolean).join(' · ')
  return { href: customerPagePath(id), title: name, sub, cents: null, badge: null }
}
