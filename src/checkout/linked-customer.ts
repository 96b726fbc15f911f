// Whom a link is meant for. The public page says so much of the customer that they know themselves and
// nobody else learns anything; what opens it is the document, typed by the payer.

import { type CustomerRow, findCustomer } from '../customers/customer.ts'
import type { Database } from '../database/connect.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { tooManyRequestsError } from '../http/errors.ts'
import { getNetwork } from '../http/ip.ts'
import type { Limiter } from '../http/limiter.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import type { CheckoutTexts } from './texts/pt.ts'
import type { LinkViewModel } from './view-models.ts'

const DOCUMENT_LIMIT = { max: 10, windowMs: 10 * MINUTE_MS }

/** Undefined for a link for anyone, which it is again once its customer was anonymized. */
export async function findLinkedCustomer(
  db: Database,
  { companyId, linkedCustomerId }: LinkRow,
): Promise<CustomerRow | undefined> {
  return linkedCustomerId ? findCustomer(db, companyId, linkedCustomerId) : undefined
}

/** Null where there is no document to ask for: then the form asks for everything. */
export function maskLinkedCustomer(
  customer: CustomerRow | undefined,
): LinkViewModel['linkedCustomer'] {
  if (!customer?.taxId) return null
  return { name: maskName(customer.name), email: customer.email && maskEmail(customer.email) }
}

/** Whether the document is the customer's. Guessing is limited by link and address. */
export async function verifyDocument(
  { taxId }: CustomerRow,
  typed: string,
  { limiter, link, address, t }: DocumentCheck,
) {
  const { exceeded, retryAfterMs } = await limiter.countHit(
    `document:${link.id}:${getNetwork(address)}`,
    DOCUMENT_LIMIT,
  )
  if (exceeded) {
    throw tooManyRequestsError(Math.ceil(retryAfterMs / 1000), t.problems.tooManyDocuments)
  }
  return typed === taxId
}

type DocumentCheck = { limiter: Limiter; link: LinkRow; address: string; t: CheckoutTexts }

/** `M••••• S••••` for Maria da Silva, and for any other M. S.: the dots do not tell how long it is. */
function maskName(name: string) {
  const [first = '', ...rest] = name.split(/\s+/).filter(Boolean)
  const last = rest.at(-1)
  const given = `${getInitial(first)}•••••`
  return last === undefined ? given : `${given} ${getInitial(last)}••••`
}

/** `m•••@e••••.com.br` */
function maskEmail(email: string) {
  const [name = '', domain = ''] = email.split('@')
  const ending = /(?:\.(?:com|net|org|gov|edu))?\.[^.]+$/.exec(domain)?.[0] ?? ''
  return `${getInitial(name)}•••@${getInitial(domain)}••••${ending}`
}

function getInitial(word: string) {
  return [...word][0] ?? ''
}
