import { z } from 'zod'
import { buildFieldRule, echoedField, instantField, instantFilterField } from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { texts } from '../texts.ts'
import { EMAIL_PATTERN, parsePhone } from './contact.ts'
import { parseTaxId } from './tax-id.ts'
import { customerTexts } from './texts.ts'

const name = textField({ min: 1, max: 120 })

const email = textField({ max: 254 })
  .regex(EMAIL_PATTERN, customerTexts.email)
  .meta({ examples: ['maria@exemplo.com.br'] })

const phone = z
  .string()
  .refine(
    (value) => parsePhone(value) !== undefined,
    buildFieldRule('invalid_phone', texts.fields.phone),
  )
  .overwrite((value) => parsePhone(value) ?? value)
  .meta({ description: 'In Brazil, with its area code.', examples: ['(11) 98765-4321'] })

const taxId = z
  .string()
  .refine(
    (value) => parseTaxId(value) !== undefined,
    buildFieldRule('invalid_tax_id', texts.fields.taxId),
  )
  .overwrite((value) => parseTaxId(value) ?? value)
  .meta({
    description: 'CPF or CNPJ (letters too), with or without punctuation. Answers mask it.',
    examples: ['529.982.247-25'],
  })

const echoedCustomerFields = {
  id: echoedField,
  testMode: echoedField,
  createdAt: echoedField,
  updatedAt: echoedField,
}

export const NewCustomer = z
  .strictObject({
    name,
    email: email.nullish(),
    phone: phone.nullish(),
    taxId: taxId.nullish(),
    ...echoedCustomerFields,
  })
  .meta({
    id: 'NewCustomer',
    examples: [{ name: 'Maria Silva', email: 'maria@exemplo.com.br', taxId: '529.982.247-25' }],
  })

export type NewCustomer = z.output<typeof NewCustomer>

export const CustomerChanges = z
  .strictObject({ ...NewCustomer.shape, name: name.optional() })
  .meta({
    id: 'CustomerChanges',
    description: 'What is absent stays; null clears.',
    examples: [{ email: 'maria.silva@exemplo.com.br', phone: null }],
  })

export type CustomerChanges = z.output<typeof CustomerChanges>

export const Customer = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['Maria Silva'] }),
    email: z
      .string()
      .nullable()
      .meta({ examples: ['maria@exemplo.com.br'] }),
    phone: z
      .string()
      .nullable()
      .meta({ description: 'Area code and number, digits alone.', examples: ['11987654321'] }),
    taxId: z
      .string()
      .nullable()
      .meta({ description: 'Masked.', examples: ['***.982.247-**'] }),
    testMode: z.boolean(),
    createdAt: instantField,
    updatedAt: instantField,
  })
  .meta({ id: 'Customer' })

export type Customer = z.output<typeof Customer>

export const CustomerFilters = z.strictObject({
  taxId: taxId.optional().meta({ description: 'The whole document, with or without punctuation.' }),
  email: textField({ min: 1, max: 254 })
    .optional()
    .meta({ description: 'The whole address, upper or lower case.' }),
  name: textField({ min: 1, max: 120 })
    .regex(/[\p{L}\p{N}]/u, customerTexts.nameWords)
    .optional()
    .meta({
      description: 'Whole words of the name, in any order, case and accents aside.',
      examples: ['silva'],
    }),
  createdFrom: instantFilterField
    .optional()
    .meta({ description: 'Created at or after this instant.' }),
  createdTo: instantFilterField
    .optional()
    .meta({ description: 'Created at or before this instant.' }),
})

export type CustomerFilters = z.output<typeof CustomerFilters>
