// What a card's bill calls a payment: the capitals, digits and few signs that card networks print.
import { z } from 'zod'
import { buildFieldRule } from '../http/fields.ts'
import { texts } from '../texts.ts'
import { linkTexts } from './texts.ts'

const MAX_DESCRIPTOR_LENGTH = 22
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
      'Como a fatura do cartão chama o pagamento, onde o provedor aceita (Mercado Pago): letras, números, espaço, `.` e `-`; guardado em maiúsculas sem acento. Bandeiras podem cortá-lo em 13. Não enviado, é o nome da empresa.',
    examples: ['PADARIA SOL'],
  })
