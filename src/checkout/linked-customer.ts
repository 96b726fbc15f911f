// The customer of a link, as payers see it. The page shows only as much as the customers themselves recognise; the
// payer must type the document.

import type { CustomerRow } from '../customers/customer.ts'

/** Null when the customer has no document: then the form asks for everything. */
export function maskLinkedCustomer(customer: CustomerRow | undefined) {
  if (!customer?.taxId) return null
  return { name: maskName(customer.name), email: customer.email && maskEmail(customer.email) }
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
