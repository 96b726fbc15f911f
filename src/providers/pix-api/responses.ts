// What a bank answers, read and bounded: amounts become cents, times become instants.
import { z } from 'zod'
import { parseJson } from '../call.ts'

const DAY_S = 86_400
const AMOUNT_PATTERN = /^\d{1,10}(\.\d{1,2})?$/
const ZONE_PATTERN = /(z|[+-]\d\d:?\d\d)$/i

/** What the bank answered, when it is what was expected; a success that says something else is no verdict. */
export function parseBankResponse<T>(shape: z.ZodType<T>, text: string): T {
  const read = shape.safeParse(parseJson(text))
  if (read.success) return read.data
  const places = read.error.issues.map(({ path }) => path.join('.') || 'body').slice(0, 5)
  throw new Error(`The bank's answer could not be read: ${places.join(', ')}`)
}

/** `37.00` → 3700, by integers alone. */
const cents = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((value) => AMOUNT_PATTERN.test(value))
  .transform((value) => {
    const [whole, part = ''] = value.split('.')
    return Number(whole) * 100 + Number(part.padEnd(2, '0'))
  })

/** Banks that leave out the zone mean their own. */
const instant = z
  .string()
  .max(40)
  .transform((value) => new Date(ZONE_PATTERN.test(value) ? value : `${value}-03:00`))
  .refine((date) => !Number.isNaN(date.getTime()))
  .transform((date) => date.toISOString())

export const Devolution = z.object({
  valor: cents,
  status: z.string().max(60),
  natureza: z.string().max(60).nullish(),
  /** An oddity of these keeps nobody from reading the Pix. */
  id: z.string().max(100).nullish().catch(null),
  rtrId: z.string().max(100).nullish().catch(null),
  motivo: z.string().max(1_000).nullish().catch(null),
  horario: z
    .object({
      solicitacao: instant.nullish().catch(null),
      liquidacao: instant.nullish().catch(null),
    })
    .nullish()
    .catch(null),
})
export type Devolution = z.output<typeof Devolution>

/** Not every bank tells who paid, and none has to. */
const Payer = z
  .object({
    nome: z.string().max(200).nullish(),
    cpf: z.string().max(14).nullish(),
    cnpj: z.string().max(18).nullish(),
  })
  .nullish()
  .catch(null)

export const Pix = z.object({
  endToEndId: z.string().regex(/^[A-Za-z0-9]{1,64}$/),
  txid: z.string().max(35).nullish(),
  valor: cents,
  horario: instant,
  pagador: Payer,
  devolucoes: z.array(Devolution).max(1_000).nullish(),
})
export type Pix = z.output<typeof Pix>

export const PixList = z.object({ pix: z.array(Pix).max(1_000).nullish() })

export const Cob = z.looseObject({
  txid: z.string().max(35),
  status: z.string().max(60),
  calendario: z.object({
    criacao: instant,
    expiracao: z.coerce
      .number()
      .int()
      .positive()
      .max(1_000 * 365 * DAY_S)
      .default(DAY_S),
  }),
  valor: z.object({ original: cents }),
  chave: z.string().max(77).nullish(),
  location: z.string().max(200).nullish(),
  loc: z.object({ location: z.string().max(200).nullish() }).nullish(),
  pix: z.array(Pix).max(1_000).nullish(),
})
export type Cob = z.output<typeof Cob>

export const CobList = z.object({ cobs: z.array(z.unknown()).max(10_000).nullish() })

export const RegisteredWebhook = z.object({ webhookUrl: z.string().max(2_048).nullish() })
