// Whom a link is meant for, as payers see it. The public page says so much of the customer that they know
// themselves and nobody else learns anything; what opens it is the document, typed by the payer.

import { hash } from 'node:crypto'
import { type CustomerRow, isDocumentAccepted } from '../customers/customer.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { buildNetworkLimits, enforceLimits, type Limiter } from '../http/limiter.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import type { CheckoutTexts } from './texts/pt.ts'
import type { LinkViewModel } from './view-models.ts'

const DOCUMENT_LIMIT = { max: 10, windowMs: 10 * MINUTE_MS }

/** Null where there is no document to ask for: then the form asks for everything. */
export function maskLinkedCustomer(
  customer: CustomerRow | undefined,
): LinkViewModel['linkedCustomer'] {
  if (!customer?.taxId) return null
  return { name: maskName(customer.name), email: customer.email && maskEmail(customer.email) }
}

/**
 * Whether the document is the customer's. Guessing is limited by link and address; the same form sent again with
 * the same document, as the form's script does with what was refused, is no further guess.
 */
export async function verifyDocument(
  linked: CustomerRow,
  typed: string,
  { limiter, link, attempt, address, t }: DocumentCheck,
) {
  const limits = buildNetworkLimits(`document:${link.id}`, address, DOCUMENT_LIMIT)
  const guess = hash('sha256', `${attempt} ${typed}`)
  await enforceLimits(limiter, limits, t.problems.tooManyDocuments, guess)
  return isDocumentAccepted(linked, typed)
}

type DocumentCheck = {
  limiter: Limiter
  link: LinkRow
  attempt: string
  address: string
  t: CheckoutTexts
}

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
