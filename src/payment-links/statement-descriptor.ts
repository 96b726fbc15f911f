// What a card's bill calls a payment: the capitals, digits and few signs that card networks print.
import { z } from 'zod'
import { buildFieldRule } from '../http/fields.ts'
import { texts } from '../texts.ts'
import { linkTexts } from './texts.ts'

export const MAX_DESCRIPTOR_LENGTH = 22
const PRINTED = /^[A-Z0-9 .-]*$/

export const statementDescriptorField = z
  .string()
  .overwrite((typed) => typed.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().trim())
  .max(MAX_DESCRIPTOR_LENGTH, texts.fields.tooLong(MAX_DESCRIPTOR_LENGTH))
  .refine(
    (text) => PRINTED.test(text),
    buildFieldRule('invalid_characters', linkTexts.statementDescriptor),
  )
  .meta({
    description:
      "What the card's bill calls the payment, where the provider takes it (Mercado Pago): letters, digits, space, `.` and `-`; kept in capitals without accents. Networks may cut it at 13. Not sent, it is the company's name.",
    examples: ['PADARIA SOL'],
  })
