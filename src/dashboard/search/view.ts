// Results of the search, one line each.
import { toCustomerRow } from '../customers/view.ts'
import { CUSTOMERS_PATH, LINKS_PATH, PAYMENTS_PATH } from '../layout/paths.ts'
import type { Badge } from '../layout/values/badge.ts'
import { toLinkRow } from '../links/view.ts'
import { toPaymentRow } from '../transactions/view.ts'
import type { findAll } from './find.ts'
import { searchTexts } from './texts.ts'

type Found = Awaited<ReturnType<typeof findAll>>

type FoundItem = {
  href: string
  title: string
  sub: string
  amount: string | null
  status: Badge | null
}

type FoundGroup = {
  /** The id of its heading. */
  id: string
  name: string
  items: FoundItem[]
  /** The list with all results, if there are more. */
  more: { href: string; text: string } | null
}

type Shown = { q: string; limit: number; now: Date }

export function toFoundGroups({ payments, links, people }: Found, shown: Shown): FoundGroup[] {
  const { q, limit, now } = shown
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
      items: people.slice(0, limit).map((row) => toPersonItem(row, now)),
      more: buildMore(people, CUSTOMERS_PATH, searchTexts.allPeople),
    },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

function toPaymentItem(row: Found['payments'][number], now: Date): FoundItem {
  const { href, payer, title, when, total, status } = toPaymentRow(row, now)
  return { href, title: payer, sub: `${when.text} · ${title}`, amount: total, status }
}

function toLinkItem(row: Found['links'][number], now: Date): FoundItem {
  const { href, title, slug, amount, status } = toLinkRow(row, now)
  return { href, title, sub: slug, amount, status }
}

function toPersonItem(row: Found['people'][number], now: Date): FoundItem {
  const { href, name, taxId, contact } = toCustomerRow(row, now)
  const known = [taxId, contact].filter(Boolean)
  return { href, title: name, sub: known.join(' · '), amount: null, status: null }
}
