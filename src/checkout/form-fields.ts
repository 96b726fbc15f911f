// The fields of the checkout's form, and which of them a form has.

import { z } from 'zod'
import { containsCardNumber } from '../card-numbers.ts'
import type { Company } from '../companies/company.ts'
import { emailField, payerNameField } from '../customers/contact.ts'
import { PAYMENT_METHODS, type PaymentMethod } from '../database/enums.ts'
import { getTaxId } from '../format.ts'
import { decimalField } from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { parsePhone, readForeignDocument, readTaxId, trimEmail } from '../payer-rules.js'
import { MAX_INSTALLMENTS } from '../payment-links/schema.ts'
import { parseJson } from '../providers/call.ts'
import { getProfile } from '../providers/registry.ts'
import { originFields, takeFirst } from './origin.ts'

/** Which payers are asked for an e-mail: all, all optionally, payers by card, or none. */
type AskedEmail = 'required' | 'optional' | 'cards' | 'none'

/** The fields that a company asks for in addition to name and document. */
export type AskedFields = { askPhone: boolean; askEmail: AskedEmail }

const method = takeFirst(z.enum(PAYMENT_METHODS))
const installments = takeFirst(decimalField({ min: 1, max: MAX_INSTALLMENTS }).default(1))
const taxId = takeFirst(z.string().max(40).transform(readTaxId).pipe(z.string()))
/** 14 digits may be a CNPJ, and pass the search for card numbers. */
const foreignDocument = takeFirst(
  z
    .string()
    .max(40)
    .transform(readForeignDocument)
    .pipe(z.string().refine((text) => getTaxId(text) !== null || !containsCardNumber(text))),
)
const phone = takeFirst(z.string().max(32).transform(parsePhone).pipe(z.string()))

const person = {
  name: takeFirst(payerNameField),
  taxId,
}

const typedEmail = z.string().max(320).transform(trimEmail)
const email = takeFirst(typedEmail.pipe(emailField))
const EMAIL_FIELDS = {
  required: email,
  optional: takeFirst(
    typedEmail
      .transform((text) => text || undefined)
      .optional()
      .pipe(emailField.optional()),
  ),
}

/** The data about the payer's browser that 3-D Secure needs, from the script that began it. */
const CardAuthentication = z.object({
  setupId: z.string().regex(/^[\w-]{8,64}$/),
  userAgent: z.string().min(1).max(500),
  language: z.string().regex(/^[\w-]{2,35}$/),
  colorDepth: z.int().min(1).max(48),
  screenHeight: z.int().min(1).max(100_000),
  screenWidth: z.int().min(1).max(100_000),
  timeZoneOffset: z.int().min(-840).max(840),
})

const card = {
  cardToken: takeFirst(z.string().regex(/^[\w-]{8,512}$/)),
  cardBrand: takeFirst(z.string().regex(/^[a-z]{2,20}$/)),
  cardLast4: takeFirst(
    z
      .string()
      .regex(/^(\d{4})?$/)
      .transform((text) => text || undefined),
  ),
  cardHolder: takeFirst(textField({ max: 120 }).default('')),
  // An invalid value does not refuse the payment. It becomes a header, so it is printable and has no blanks.
  deviceId: takeFirst(
    z
      .string()
      .regex(/^[\x21-\x7e]{8,1024}$/)
      .optional()
      .catch(undefined),
  ),
  cardAuthentication: takeFirst(
    z.string().max(1_000).transform(parseJson).pipe(CardAuthentication).optional().catch(undefined),
  ),
}

const none = z.undefined().optional().catch(undefined)
const noCard = {
  cardToken: none,
  cardBrand: none,
  cardLast4: none,
  cardHolder: none,
  deviceId: none,
  cardAuthentication: none,
}

const buildFormSchemas = <Payer extends z.ZodRawShape>(payer: Payer) => ({
  pix: z.object({ method, ...payer, installments, ...originFields, ...noCard }),
  card: z.object({ method, ...payer, installments, ...originFields, ...card }),
})

const buildPersonSchemas = <Phone extends z.ZodType>(phoneField: Phone) => ({
  required: buildFormSchemas({ ...person, email: EMAIL_FIELDS.required, phone: phoneField }),
  optional: buildFormSchemas({ ...person, email: EMAIL_FIELDS.optional, phone: phoneField }),
  none: buildFormSchemas({ ...person, email: none, phone: phoneField }),
})

const FORM_SCHEMAS = {
  anyone: buildPersonSchemas(none),
  anyoneWithPhone: buildPersonSchemas(phone),
}
/** Only the document is asked for. */
const KNOWN_SCHEMAS = buildFormSchemas({ name: none, taxId, email: none, phone: none })

type PersonSchemas = (typeof FORM_SCHEMAS)[keyof typeof FORM_SCHEMAS]
type FormSchemas = PersonSchemas[keyof PersonSchemas] | typeof KNOWN_SCHEMAS
export type PaymentFormData = z.output<FormSchemas['pix' | 'card']>

/** `cardElsewhere`: the card is entered at the provider's page, and the form has no fields for it. */
export function getFormSchema(
  payer: AskedFields | 'known',
  kind: 'pix' | 'card' | 'cardElsewhere',
  isForeign: boolean,
) {
  const fields = kind === 'card' ? 'card' : 'pix'
  if (payer === 'known') return KNOWN_SCHEMAS[fields]
  const { askPhone, askEmail } = payer
  const byCard = kind === 'pix' ? 'optional' : 'required'
  const schemas = FORM_SCHEMAS[askPhone ? 'anyoneWithPhone' : 'anyone']
  const schema = schemas[askEmail === 'cards' ? byCard : askEmail][fields]
  return isForeign ? schema.extend({ taxId: foreignDocument }) : schema
}

/** Returns the fields that the company wants, and that the provider of its cards needs. */
export function resolveAskedFields(
  { askPhone, payerEmail, cardProvider }: Company,
  methods: readonly PaymentMethod[],
  sendsMail: boolean,
): AskedFields {
  const auto = sendsMail ? 'required' : 'optional'
  const chosen: AskedEmail = payerEmail === 'auto' ? auto : payerEmail
  const isNeeded =
    methods.includes('credit_card') &&
    cardProvider !== null &&
    getProfile(cardProvider).cardNeedsEmail
  if (chosen === 'required' || !isNeeded) return { askPhone, askEmail: chosen }
  return { askPhone, askEmail: methods.includes('pix') ? 'cards' : 'required' }
}

/** Whether cards at this company are charged with the billing address. */
export function asksBillingAddress({ cardProvider }: Company) {
  return cardProvider !== null && getProfile(cardProvider).cardNeedsAddress
}

/** Whether this company accepts cards with a document of another country. */
export function takesForeignDocuments({ cardProvider, acceptsForeignDocuments }: Company) {
  const isTaken = cardProvider !== null && getProfile(cardProvider).cardTakesForeignDocuments
  return acceptsForeignDocuments && isTaken
}
