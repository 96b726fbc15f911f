import { z } from 'zod'
import {
  blankableField,
  buildFieldRule,
  createdAtField,
  describeField,
  echoedField,
  idField,
  instantFilterField,
  testModeField,
  updatedAtField,
} from '../http/fields.ts'
import { removePastedMarks, textField } from '../http/text.ts'
import { parsePhone, parseTaxId } from '../payer-rules.js'
import { texts } from '../texts.ts'
import { emailField } from './contact.ts'
import { customerTexts } from './texts.ts'

const name = describeField(
  textField({ min: 1, max: 120, clean: removePastedMarks }),
  'Nome completo.',
  'Maria Silva',
)

const email = describeField(emailField, 'Endereço de e-mail.', 'maria@exemplo.com.br')

const phone = z
  .string()
  .refine(
    (value) => parsePhone(value) !== undefined,
    buildFieldRule('invalid_phone', texts.fields.phone),
  )
  .overwrite((value) => parsePhone(value) ?? value)
  .meta({
    description: 'Com DDD; de outro país, com + e o código dele.',
    examples: ['(11) 98765-4321'],
  })

/** A CPF or CNPJ, stored without punctuation. */
export const taxIdField = buildTaxIdField(isTaxId)

const taxId = taxIdField.meta({
  description: 'CPF ou CNPJ (também com letras), com ou sem pontuação. As respostas o mascaram.',
  examples: ['529.982.247-25'],
})

export const echoedCustomerFields = {
  id: echoedField,
  foreignDocument: echoedField,
  testMode: echoedField,
  createdAt: echoedField,
  updatedAt: echoedField,
}

export const NewCustomer = z.strictObject({
  name,
  email: blankableField(email),
  phone: blankableField(phone),
  taxId: blankableField(taxId),
  ...echoedCustomerFields,
})

export type NewCustomer = z.output<typeof NewCustomer>

export const CustomerChanges = z.strictObject({
  ...NewCustomer.shape,
  name: name.optional(),
})

export type CustomerChanges = z.output<typeof CustomerChanges>

/** The changes in an API request: the document may be masked, as in our answers (readSentChanges). */
export const SentCustomerChanges = CustomerChanges.extend({
  taxId: buildSentTaxIdField('mascarado como nas respostas, fica como está'),
}).meta({
  id: 'CustomerChanges',
  description: 'O que falta fica como está; null apaga.',
  examples: [{ email: 'maria.silva@exemplo.com.br', phone: null }],
})

/** The customer in an API request: in an answer that is sent back the document is masked, and ignored. */
export const SentCustomer = NewCustomer.extend({
  taxId: buildSentTaxIdField('mascarado, numa resposta enviada de volta, é ignorado'),
}).meta({
  id: 'NewCustomer',
  examples: [{ name: 'Maria Silva', email: 'maria@exemplo.com.br', taxId: '529.982.247-25' }],
})

export function isMasked(taxId: string) {
  return taxId.includes('*')
}

export const Customer = z
  .object({
    id: idField,
    name: describeField(z.string(), 'Nome completo.', 'Maria Silva'),
    email: describeField(z.string().nullable(), 'Endereço de e-mail.', 'maria@exemplo.com.br'),
    phone: describeField(
      z.string().nullable(),
      'DDD e número, só dígitos; de outro país, com + e o código dele.',
      '11987654321',
    ),
    taxId: describeField(
      z.string().nullable(),
      'CPF ou CNPJ, mascarado; `null` de quem não tem ou foi anonimizado.',
      '***.982.247-**',
    ),
    foreignDocument: z
      .string()
      .nullable()
      .meta({
        description:
          'O passaporte ou outro documento, mascarado, de quem pagou com cartão sem ter CPF: então `taxId` é `null`.',
        examples: [null],
      }),
    testMode: testModeField,
    createdAt: createdAtField,
    updatedAt: updatedAtField,
  })
  .meta({ id: 'Customer' })

export type Customer = z.output<typeof Customer>

export const CustomerFilters = z.strictObject({
  taxId: taxId.optional().describe('O documento inteiro, com ou sem pontuação.'),
  email: textField({ min: 1, max: 254 })
    .optional()
    .describe('O endereço inteiro, em maiúsculas ou minúsculas.'),
  name: textField({ min: 1, max: 120 })
    .regex(/[\p{L}\p{N}]/u, customerTexts.nameWords)
    .optional()
    .meta({
      description:
        'Palavras inteiras do nome, em qualquer ordem, sem diferença de maiúsculas e acentos.',
      examples: ['silva'],
    }),
  createdFrom: instantFilterField.optional().describe('Criados a partir deste instante.'),
  createdTo: instantFilterField.optional().describe('Criados até este instante.'),
})

export type CustomerFilters = z.output<typeof CustomerFilters>

function buildSentTaxIdField(masked: string) {
  return blankableField(
    buildTaxIdField((value) => isMasked(value) || isTaxId(value)).meta({
      description: `CPF ou CNPJ (também com letras), com ou sem pontuação; ${masked}.`,
      examples: ['529.982.247-25'],
    }),
  )
}

function buildTaxIdField(isAccepted: (value: string) => boolean) {
  return z
    .string()
    .refine(isAccepted, buildFieldRule('invalid_tax_id', texts.fields.taxId))
    .overwrite((value) => parseTaxId(value) ?? value)
}

function isTaxId(value: string) {
  return parseTaxId(value) !== undefined
}
