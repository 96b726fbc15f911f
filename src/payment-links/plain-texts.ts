// The optional texts of a link. An entry here and a column of payment_links make a field of the API, its document, the
// form, the page and the table of links, of changes and of the audit log.
import { z } from 'zod'
import { blankableField, buildFieldRule } from '../http/fields.ts'
import { canListen } from '../http/outbound.ts'
import { hasForbiddenCharacters, textField } from '../http/text.ts'
import { buildRecord, getKeys } from '../record.ts'
import { texts } from '../texts.ts'
import type { FieldNote } from './field-notes.ts'
import { linkTexts } from './texts.ts'

type PlainText = {
  /** The label in the dashboard. */
  label: string
  /** Its description in the OpenAPI document. */
  note: FieldNote
  /** The schema in the API. An empty text and null mean no text. */
  input: z.ZodType<string | null | undefined>
  /** Whether events about a link include the field. */
  isInEvents?: true
}

/** Refuses addresses that the URL parser would silently repair: `https:\\evil`, a third slash, tabs, leading spaces. */
const WEB_ADDRESS = /^https?:\/\/[^\s\\/][^\s\\]*$/i
/** The scheme of an app has a dot (RFC 8252, 7.1), unlike all schemes that browsers execute. */
const APP_ADDRESS = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^\s\\]*$/i

/** An absolute address of a site or an app without user info. */
function isRedirectUrl(address: string) {
  if (hasForbiddenCharacters(address)) return false
  const url = URL.parse(address)
  if (!url || url.username || url.password) return false
  return WEB_ADDRESS.test(address) ? canListen(url) : APP_ADDRESS.test(address)
}

/** The characters that card networks print. */
const PRINTED = /^[A-Z0-9 .-]*$/
const MAX_DESCRIPTOR_LENGTH = 22

export const PLAIN_TEXTS = {
  description: {
    label: 'Descrição',
    note: {
      description: 'O que o pagador lê abaixo do título. Texto puro; quebras de linha ficam.',
      examples: ['Retirada na loja, das 9h às 18h.'],
    },
    input: textField({ max: 2048, lines: true }).nullish(),
  },
  /** The company's address: it is stored with the link and never taken from a payer's request. */
  redirectUrl: {
    label: 'Depois de pago, vai para',
    note: {
      description:
        'Para onde o pagador vai depois do comprovante: um site (http, https) ou um app, por um esquema com ponto (`br.com.loja://pago`). Sem usuário nem senha.',
      examples: ['https://loja.com.br/obrigado'],
      format: 'uri',
    },
    input: blankableField(
      z
        .string()
        .max(2048, texts.fields.tooLong(2048))
        .refine(isRedirectUrl, buildFieldRule('invalid_url', linkTexts.redirectUrl)),
    ),
  },
  externalReference: {
    label: 'Referência externa',
    note: {
      description: 'O seu nome para isto, como o número de um pedido. Não precisa ser único.',
      examples: ['pedido-1042'],
    },
    input: textField({ max: 64 }).nullish(),
    isInEvents: true,
  },
  inactiveMessage: {
    label: 'Mensagem quando não puder ser pago',
    note: { description: 'Mostrada a quem abre o link quando ele não pode ser pago.' },
    input: textField({ max: 500, lines: true }).nullish(),
  },
  successMessage: {
    label: 'Mensagem no comprovante',
    note: {
      description:
        'Aparece no comprovante de um pagamento aprovado. Texto puro; as quebras de linha ficam.',
      examples: [null],
    },
    input: textField({ max: 500, lines: true }).nullish(),
  },
  statementDescriptor: {
    label: 'Nome na fatura do cartão',
    note: {
      description:
        'Como a fatura do cartão chama o pagamento: letras, números, espaço, `.` e `-`; guardado em maiúsculas sem acento. Bandeiras podem cortá-lo em 13. Sem ele, é o nome da empresa.',
      examples: ['PADARIA SOL'],
    },
    input: z
      .string()
      .overwrite((typed) => typed.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().trim())
      .max(MAX_DESCRIPTOR_LENGTH, texts.fields.tooLong(MAX_DESCRIPTOR_LENGTH))
      .refine(
        (text) => PRINTED.test(text),
        buildFieldRule('invalid_characters', linkTexts.statementDescriptor),
      )
      .nullish(),
  },
} as const satisfies Record<string, PlainText>

export type PlainTextName = keyof typeof PLAIN_TEXTS

export const PLAIN_TEXT_NAMES = getKeys(PLAIN_TEXTS)

export type EventTextName = {
  [Name in PlainTextName]: (typeof PLAIN_TEXTS)[Name] extends { isInEvents: true } ? Name : never
}[PlainTextName]

/** The texts that events about a link include. */
export const EVENT_TEXT_NAMES = PLAIN_TEXT_NAMES.filter(
  (name): name is EventTextName => 'isInEvents' in PLAIN_TEXTS[name],
)

/** The schemas in requests. */
export const plainTextInputs = buildRecord(PLAIN_TEXT_NAMES, (name) => {
  const { input, note } = PLAIN_TEXTS[name]
  return z.optional(input).meta(note)
})

/** The schemas in answers. An address is answered as it was sent, also with letters that no URI has. */
export const plainTextOutputs = buildRecord(PLAIN_TEXT_NAMES, (name) => {
  const { format: _, ...note }: FieldNote = PLAIN_TEXTS[name].note
  return z.string().nullable().meta(note)
})

type PlainTexts = Record<PlainTextName, string | null>

/** Picks the texts of a link's row, or of any object that has them all. */
export function pickPlainTexts(row: PlainTexts): PlainTexts {
  return buildRecord(PLAIN_TEXT_NAMES, (name) => row[name])
}
