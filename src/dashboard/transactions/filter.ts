// What the address of the list says of the payments that are wanted. What cannot be a filter narrows
// nothing; what is searched for is an id, a reference, or who paid.
import type { FastifyRequest } from 'fastify'
import { type CustomerRow, findCustomer } from '../../customers/customer.ts'
import type { Database } from '../../database/connect.ts'
import { maskTaxId } from '../../format.ts'
import { text } from '../../http/text.ts'
import { findPaymentLink } from '../../payment-links/payment-link.ts'
import { addDays, startOf } from '../../reports/days.ts'
import type { ListFilters } from '../../transactions/list.ts'
import { TransactionFilters } from '../../transactions/schema.ts'
import { findByWord } from '../../transactions/search.ts'
import { findPeople } from '../layout/customer-search.ts'
import { type Typed, typedOf } from '../layout/form.ts'
import { parseDay } from '../layout/local-time.ts'

/** No payment has it. */
const NOBODY = '00000000-0000-0000-0000-000000000000'
const Word = text({ min: 1, max: 128 })

/** The filter itself, and how the page shows it. */
export async function filterOf(db: Database, request: FastifyRequest) {
  const { company } = request.visitor
  const typed = typedOf(request.query)
  const [link, customer, search] = await Promise.all([
    typed.link ? findPaymentLink(db, company.id, typed.link) : undefined,
    typed.cliente ? findCustomer(db, company.id, typed.cliente) : undefined,
    searchFor(db, company.id, typed.q),
  ])
  const plain = plainFilters(typed)
  const wanted: ListFilters = {
    ...plain,
    ...daysOf(typed),
    ...(link && { paymentLinkId: link.id }),
    ...(customer && { customerId: customer.id }),
    ...search.wanted,
  }
  return {
    wanted,
    held: plain.held === true,
    isFiltered: Object.keys(wanted).length > 0,
    typed: shownOf(typed, wanted),
    link: link && { id: link.id, name: link.title, without: addressOf(request, { link: null }) },
    customer: customer && {
      ...{ id: customer.id, name: customer.name },
      without: addressOf(request, { cliente: null }),
    },
    people: search.people.map(({ id, name, taxId }) => ({
      name,
      taxId: taxId && maskTaxId(taxId),
      href: addressOf(request, { q: null, cliente: id }),
    })),
    tabs: {
      all: addressOf(request, { verificar: null }),
      held: addressOf(request, { verificar: 'sim' }),
    },
    csv: addressOf(request, {}, '/painel/transacoes.csv'),
  }
}

const WORDS = ['status', 'method', 'tag'] as const

function plainFilters(typed: Typed): ListFilters {
  const read = WORDS.flatMap((name) => {
    const { data } = TransactionFilters.shape[name].safeParse(typed[name] || undefined)
    return data === undefined ? [] : [[name, data]]
  })
  const held = typed.verificar === 'sim' ? { held: true as const } : {}
  return { ...Object.fromEntries(read), ...held }
}

/** Whole days of São Paulo. */
function daysOf({ de = '', ate = '' }: Typed): ListFilters {
  const [from, to] = [parseDay(de), parseDay(ate)]
  return { ...(from && { from: startOf(from) }), ...(to && { to: endOf(to) }) }
}

/** What the form holds: only what narrows the list. */
function shownOf({ q = '', de = '', ate = '' }: Typed, { status, method, tag }: ListFilters) {
  return {
    q,
    status: status ?? '',
    method: method ?? '',
    tag: tag?.[0] ?? '',
    de: parseDay(de) ?? '',
    ate: parseDay(ate) ?? '',
  }
}

type Search = { wanted: ListFilters; people: CustomerRow[] }

/** One customer is who was meant; of several the page asks which. */
async function searchFor(
  db: Database,
  companyId: string,
  typed: string | undefined,
): Promise<Search> {
  const { data: word } = Word.safeParse(typed)
  if (word === undefined) return { wanted: {}, people: [] }
  const found = await findByWord(db, companyId, word)
  if (found) return { wanted: found, people: [] }
  const people = await findPeople(db, companyId, word)
  const [first, second] = people
  if (first && !second) return { wanted: { customerId: first.id }, people: [] }
  return { wanted: { id: NOBODY }, people }
}

/** The same list with other parameters, from its first page; null takes one away. */
function addressOf(
  { url }: FastifyRequest,
  changes: Record<string, string | null>,
  path = '/painel/transacoes',
) {
  const { searchParams } = new URL(url, 'http://localhost')
  for (const [name, value] of Object.entries({ cursor: null, feito: null, ...changes })) {
    if (value === null) searchParams.delete(name)
    else searchParams.set(name, value)
  }
  return searchParams.size > 0 ? `${path}?${searchParams}` : path
}

/** The last instant of a day. */
function endOf(day: string) {
  return new Date(Date.parse(startOf(addDays(day, 1))) - 1).toISOString()
}
