// The customer of a link, as payers see it. The page shows only as much as the customers themselves recognise; the
// payer must type the document.

import { hash } from 'node:crypto'
import { type CustomerRow, isDocumentAccepted } from '../customers/customer.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { buildNetworkLimits, enforceLimits, type Limiter } from '../http/limiter.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import type { CheckoutTexts } from './texts/pt.ts'

const DOCUMENT_LIMIT = { max: 10, windowMs: 10 * MINUTE_MS }

/** Null when the customer has no document: then the form asks for everything. */
export function maskLinkedCustomer(customer: CustomerRow | undefined) {
  if (!customer?.taxId) return null
  return { name: maskName(customer.name), email: customer.email && maskEmail(customer.email) }
}

/**
 * Whether the document is the customer's. Guesses are limited by link and address; sending the same document again with
 * the same form, as the form's script does, is no further guess.
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

/** Returns `M••••• S••••` for every Maria da Silva: the dots do not show the length. */
function maskName(name: string) {
  const [first = '', ...rest] = name.split(/\s+/).filter(Boolean)
  const last = rest.at(-1)
  const given = `${getInitial(first)}•••••`
  return last === undefined ? given : `${given} ${getInitial(last)}••••`
}

/** Returns `m•••@e••••.com.br`. */
function maskEmail(email: string) {
  const [name = '', domain = ''] = email.split('@')
  const ending = /(?:\.(?:com|net|org|gov|edu))?\.[^.]+$/.exec(domain)?.[0] ?? ''
  return `${getInitial(name)}•••@${getInitial(domain)}••••${ending}`
}

function getInitial(word: string) {
  return [...word][0] ?? ''
}
