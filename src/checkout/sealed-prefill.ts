// An address that contains the payer's data, sealed (payment-links/prefill.ts). A cookie of the link keeps the data, so
// that the form is filled in again after an error, in another language and after a failed payment. The payer pays with
// the document of the address, but the page never shows it whole, since other people may see the page.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS, SECOND_MS } from '../database/instant.ts'
import { maskTaxId } from '../format.ts'
import { toRecord } from '../http/fields.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import { openPrefill, PREFILL_PARAMETER } from '../payment-links/prefill.ts'
import type { FormErrors } from './form-values.ts'
import type { CheckoutNeeds } from './needs.ts'
import { linkPath } from './paths.ts'

const COOKIE_MAX_AGE_S = DAY_MS / SECOND_MS

/** The data of this address, else of an earlier address in the cookie. */
export function findSealedPrefill(
  { cipher }: CheckoutNeeds,
  request: FastifyRequest,
  link: LinkRow,
) {
  const token = readParameter(request) ?? request.cookies?.[getCookieName(link)]
  return token === undefined ? undefined : openPrefill(cipher, link, token)
}

/** An address without readable data, such as `?p=` alone, removes the kept data. */
export function keepSealedPrefill(
  needs: CheckoutNeeds,
  reply: FastifyReply,
  link: LinkRow,
  isOpened: boolean,
) {
  const token = readParameter(reply.request)
  if (token === undefined) return
  const reach = `Path=${needs.mount}/${link.slug}; HttpOnly; SameSite=Lax`
  const age = isOpened ? COOKIE_MAX_AGE_S : 0
  const value = `${getCookieName(link)}=${isOpened ? token : ''}; Max-Age=${age}; ${reach}`
  reply.header('set-cookie', needs.secure ? `${value}; Secure` : value)
}

/** Returns the form as it was sent, with the document that its page did not ask for. */
export function addSealedDocument(needs: CheckoutNeeds, request: FastifyRequest, link: LinkRow) {
  const sent = toRecord(request.body)
  const taxId = sent.taxId ? undefined : findSealedPrefill(needs, request, link)?.taxId
  const body = taxId ? { ...sent, taxId } : request.body
  return { body, isTaxIdSealed: Boolean(taxId) }
}

/** The masked document; null if the page asks for the document, as after a refused one. */
export function buildKnownDocument(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  link: LinkRow,
  errors: FormErrors,
) {
  const taxId = findSealedPrefill(needs, request, link)?.taxId
  if (!taxId || errors.some(({ field }) => field === 'taxId')) return null
  return {
    masked: maskTaxId(taxId),
    otherUrl: `${linkPath(needs, link.slug)}?${PREFILL_PARAMETER}=`,
  }
}

function readParameter({ query }: FastifyRequest) {
  const token = toRecord(query)[PREFILL_PARAMETER]
  return token === undefined ? undefined : String(token)
}

function getCookieName({ slug }: LinkRow) {
  return `vintem_${slug}_p`
}
