// Schemas of banks' answers: amounts become cents, times become instants. Accepted notations: ../answers.ts.
import { z } from 'zod'
import {
  listOf,
  parseAnswer,
  readAnswer,
  reportedAmount,
  reportedId,
  reportedInstant,
  reportedStatus,
} from '../answers.ts'

const DAY_S = 86_400

/** The fields that are read, as Banco Central's description spells them, with other spellings in use. */
const FIELD_NAMES = [
  ...['txid', 'endToEndId', 'valor', 'horario', 'pix', 'pagador', 'nome', 'cpf', 'cnpj'],
  ...['devolucoes', 'id', 'rtrId', 'status', 'natureza', 'motivo', 'solicitacao', 'liquidacao'],
  ...['calendario', 'criacao', 'expiracao', 'original', 'chave', 'location', 'loc'],
  ...['pixCopiaECola', 'brcode', 'qrcode', 'cobs', 'webhookUrl', 'access_token', 'expires_in'],
  ...['parametros', 'paginacao', 'quantidadeTotalDeItens', 'itensPorPagina'],
  ...['type', 'title', 'detail', 'violacoes', 'razao', 'erros', 'mensagens', 'mensagem'],
  ...['error', 'error_description', 'message'],
]

export function readBankAnswer(text: string) {
  return readAnswer(text, FIELD_NAMES)
}

/** Reads a successful answer; unexpected content decides nothing. */
export function parseBankResponse<S extends z.ZodObject>(
  shape: S,
  text: string,
  onUnreadable?: (field: string) => void,
) {
  return parseAnswer(shape, {
    value: readBankAnswer(text),
    ...{ from: 'the bank', list: 'pix', onUnreadable },
  })
}

export const Devolution = z.object({
  /** Unexpected values here must not make the Pix unreadable. */
  valor: reportedAmount.nullish().catch(null),
  status: reportedStatus.nullish().catch(null),
  natureza: reportedStatus.nullish().catch(null),
  id: z.string().max(100).nullish().catch(null),
  rtrId: z.string().max(100).nullish().catch(null),
  motivo: z.string().max(1_000).nullish().catch(null),
  horario: z
    .object({
      solicitacao: reportedInstant.nullish().catch(null),
      liquidacao: reportedInstant.nullish().catch(null),
    })
    .nullish()
    .catch(null),
})
export type Devolution = z.output<typeof Devolution>

/**
 * Keeps each devolution once, since some banks list one for each of its states. The transfer's own id tells them apart:
 * an id that a bank invents for returns at its counter may be the same for two of them.
 */
const Devolutions = listOf(Devolution).transform(({ items, unreadable }) => {
  const latest = items.toSorted((a, b) => rankDevolution(b) - rankDevolution(a))
  const isFirst = (one: Devolution) => {
    const name = nameDevolution(one)
    return !name || latest.find((other) => nameDevolution(other) === name) === one
  }
  return { items: items.filter(isFirst), unreadable }
})

function nameDevolution({ rtrId, id, valor }: Devolution) {
  return (rtrId ?? (id && `${id} ${valor}`))?.toLowerCase()
}

/** Money that has left stays gone, whatever else is listed. */
function rankDevolution({ status }: Devolution) {
  return ['NAO_REALIZADO', 'DEVOLVIDO'].indexOf(status ?? '')
}

/** A document, which some banks write with punctuation, or as a number without its leading zeros. */
const taxId = (digits: number) =>
  reportedId.transform((value) => value.replace(/[^0-9A-Z]/gi, '').padStart(digits, '0'))

/** Not every bank names the payer. */
const Payer = z
  .object({
    nome: z
      .string()
      .transform((name) => name.slice(0, 200))
      .nullish()
      .catch(null),
    cpf: taxId(11).nullish().catch(null),
    cnpj: taxId(14).nullish().catch(null),
  })
  .nullish()
  .catch(null)

export const Pix = z.object({
  endToEndId: z.string().regex(/^[A-Za-z0-9]{1,64}$/),
  txid: reportedId.nullish(),
  valor: reportedAmount,
  /** When missing, the end-to-end id has it (received.ts). */
  horario: reportedInstant.nullish().catch(null),
  /** The Pix key that received it, if the bank gives it. */
  chave: z.string().max(77).nullish().catch(null),
  pagador: Payer,
  devolucoes: Devolutions,
})
export type Pix = z.output<typeof Pix>

const Page = z.object({
  quantidadeTotalDeItens: z.coerce.number().nullish().catch(null),
  itensPorPagina: z.coerce.number().nullish().catch(null),
})

export const PixList = z.object({
  pix: listOf(Pix),
  parametros: z.object({ paginacao: Page.nullish() }).nullish().catch(null),
})

export const Cob = z.looseObject({
  /** The address of the request has it too. */
  txid: reportedId.nullish(),
  status: reportedStatus.transform(toSpecifiedStatus),
  /** Unreadable values here must not hide money. */
  calendario: z
    .object({
      criacao: reportedInstant.nullish().catch(null),
      expiracao: z.coerce
        .number()
        .int()
        .positive()
        .max(1_000 * 365 * DAY_S)
        .catch(DAY_S),
    })
    .catch({ criacao: null, expiracao: DAY_S }),
  valor: reportedAmount.nullish().catch(null),
  chave: z.string().max(77).nullish().catch(null),
  location: z.string().max(200).nullish().catch(null),
  loc: z
    .object({ location: z.string().max(200).nullish() })
    .nullish()
    .catch(null),
  pix: listOf(Pix),
})
export type Cob = z.output<typeof Cob>

/** Translates words that some banks use in place of Banco Central's. */
function toSpecifiedStatus(said: string) {
  const [, specified = said] = STATUS_WORDS.find(([pattern]) => pattern.test(said)) ?? []
  return specified
}

const STATUS_WORDS: [RegExp, string][] = [
  [/^(CONCLUID|PAG|LIQUIDAD|RECEBID)[AO]$/, 'CONCLUIDA'],
  [/^(ATIV|EXPIRAD|VENCID)[AO]$/, 'ATIVA'],
  [/^(REMOVID|CANCELAD)[AO](_|$)/, 'REMOVIDA_PELO_PSP'],
]

export const CobList = z.object({ cobs: z.array(z.unknown()).max(10_000).nullish() })

export const RegisteredWebhook = z.object({ webhookUrl: z.string().max(2_048).nullish() })
