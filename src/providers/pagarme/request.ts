// Builds the order that a charge sends to Pagar.me: one payment, by card, at the page that Pagar.me serves.
import { getForeignDocument } from '../../format.ts'
import { type CardCharge, type Charge, PROVIDER_PAGE_MINUTES } from '../provider.ts'

/** The shortest limit of any acquirer for the text on a card's statement. */
const MAX_DESCRIPTOR_LENGTH = 13
const MAX_TEXT_LENGTH = 64
/** A CPF, or a CNPJ with letters or without. */
const DOCUMENT_PATTERN = /^(\d{11}|[\dA-Z]{12}\d\d)$/
const CNPJ_LENGTH = 14
/** Brazilian digits with area code. */
const PHONE_PATTERN = /^\d{10,11}$/

/** The list of installments has only the quote that the payer chose here. */
export function buildOrderRequest(charge: CardCharge) {
  const { totalCents, installments, statementDescriptor, returnUrl, payer } = charge
  const descriptor = statementDescriptor?.slice(0, MAX_DESCRIPTOR_LENGTH).trim()
  const customer = buildCustomer(payer)
  return {
    code: charge.transactionId,
    items: [
      {
        amount: totalCents,
        description: charge.title.slice(0, MAX_TEXT_LENGTH),
        quantity: 1,
        code: charge.slug,
      },
    ],
    customer,
    payments: [
      {
        amount: totalCents,
        payment_method: 'checkout',
        checkout: {
          accepted_payment_methods: ['credit_card'],
          success_url: returnUrl,
          skip_checkout_success_page: true,
          expires_in: PROVIDER_PAGE_MINUTES,
          // Pagar.me's page asks for missing data.
          customer_editable: !customer.phones || !customer.document,
          billing_address_editable: true,
          credit_card: {
            capture: true,
            ...(descriptor && { statement_descriptor: descriptor }),
            installments: [{ number: installments, total: totalCents }],
          },
        },
      },
    ],
  }
}

function buildCustomer({ name, email, taxId, phone }: Charge['payer']) {
  const { document, kind } = readDocument(taxId)
  const isPhone = phone !== null && PHONE_PATTERN.test(phone)
  return {
    name: name.slice(0, MAX_TEXT_LENGTH),
    email: email ?? undefined,
    type: kind === 'CNPJ' ? 'company' : 'individual',
    document,
    document_type: kind,
    phones: isPhone ? { mobile_phone: splitPhone(phone) } : undefined,
  }
}

function readDocument(taxId: string | null) {
  const passport = getForeignDocument(taxId)
  if (passport) return { document: passport, kind: 'PASSPORT' }
  if (!taxId || !DOCUMENT_PATTERN.test(taxId)) return {}
  return { document: taxId, kind: taxId.length === CNPJ_LENGTH ? 'CNPJ' : 'CPF' }
}

function splitPhone(phone: string) {
  return { country_code: '55', area_code: phone.slice(0, 2), number: phone.slice(2) }
}
