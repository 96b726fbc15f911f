// What a payer sends: the checkout's form, field by field.
import { z } from 'zod'
import { parseTaxId } from '../customers/tax-id.ts'
import { METHODS, type Method } from '../database/words.ts'
import { text } from '../http/text.ts'
import { texts } from '../texts.ts'
import type { FieldName, LinkPage } from './pages.ts'

const EMAIL = /^[^\s@<>"(),:;]+@[^\s@]+\.[^\s@.]{2,}$/
const PHONE = /^(?:\+?55)?([1-9]\d9\d{8}|[1-9]\d[2-5]\d{7})$/

/** A field sent twice counts once, by its first value; what is not a text counts as missing. */
const field = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value[0] : value), schema)

const payer = {
  method: field(z.enum(METHODS)),
  name: field(text({ min: 3, max: 120 }).regex(/\p{L}/u)),
  taxId: field(z.string().max(32).transform(parseTaxId).pipe(z.string())),
  email: field(text({ min: 5, max: 254 }).regex(EMAIL)),
  installments: field(z.coerce.number().int().min(1).max(12).default(1)),
}

const phone = field(
  z
    .string()
    .max(32)
    .transform((value) => value.replace(/[\s().-]/g, '').match(PHONE)?.[1])
    .pipe(z.string()),
)

const card = {
  cardToken: field(z.string().regex(/^[\w-]{8,512}$/)),
  cardBrand: field(z.string().regex(/^[a-z]{2,20}$/)),
  cardLast4: field(z.string().regex(/^\d{4}$/)),
  cardHolder: field(text({ max: 120 }).default('')),
}

const none = z.undefined().optional().catch(undefined)
const noCard = { cardToken: none, cardBrand: none, cardLast4: none, cardHolder: none }
const noPhone = { phone: none }

const FORMS = {
  pix: z.object({ ...payer, ...noCard, ...noPhone }),
  pixWithPhone: z.object({ ...payer, ...noCard, phone }),
  card: z.object({ ...payer, ...card, ...noPhone }),
  cardWithPhone: z.object({ ...payer, ...card, phone }),
}

const ATTEMPT = /^[0-9A-Za-z]{24}$/

export type PaymentForm = {
  method: Method
  name: string
  taxId: string
  email: string
  phone: string | null
  installments: number
  card: { token: string; brand: string; last4: string; holder: string | null } | null
}

type FormErrors = LinkPage['errors']
type Expected = { methods: readonly Method[]; askPhone: boolean }
type Parsed = { form: PaymentForm; errors: [] } | { form: null; errors: FormErrors }

/** All that is wrong at once, one sentence a field. */
export function parseForm(body: unknown, { methods, askPhone }: Expected): Parsed {
  const values = { ...(body as Record<string, unknown>) }
  const kind = values.method === 'credit_card' ? 'card' : 'pix'
  const result = FORMS[askPhone ? (`${kind}WithPhone` as const) : kind].safeParse(values)

  const wrong = result.error?.issues.map(({ path }) => fieldOf(String(path[0]))) ?? []
  if (!methods.includes(values.method as Method)) wrong.push('method')
  if (!result.success || wrong.length > 0) {
    return { form: null, errors: [...new Set(wrong)].map((name) => errorOf(name, values)) }
  }
  const { cardToken, cardBrand, cardLast4, cardHolder, phone: given, ...rest } = result.data
  const paidBy = cardToken && cardBrand && cardLast4
  const holder = cardHolder?.toUpperCase() || null
  return {
    form: {
      ...rest,
      phone: given ?? null,
      card: paidBy ? { token: cardToken, brand: cardBrand, last4: cardLast4, holder } : null,
    },
    errors: [],
  }
}

function fieldOf(name: string): FieldName {
  return name.startsWith('card') ? 'card' : (name as FieldName)
}

/** The form's attempt token, if it can be one of ours. */
export function attemptOf(body: unknown): string | undefined {
  const attempt = (body as { attempt?: unknown } | undefined)?.attempt
  return typeof attempt === 'string' && ATTEMPT.test(attempt) ? attempt : undefined
}

/** What was typed, to be shown again; never card data. */
export function typedValues(body: unknown, fallback: LinkPage['values']): LinkPage['values'] {
  const values = (body ?? {}) as Record<string, unknown>
  const typed = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value.slice(0, 254) : ''
  }
  const method = METHODS.find((one) => one === values.method)
  return {
    method: method ?? fallback.method,
    name: typed('name'),
    taxId: typed('taxId'),
    email: typed('email'),
    phone: typed('phone'),
    installments: Number(typed('installments')) || 1,
  }
}

function errorOf(field: FieldName, { cardToken }: { cardToken?: unknown }) {
  const noScript = field === 'card' && !cardToken
  return { field, message: noScript ? texts.checkout.cardNeedsScript : texts.checkout[field] }
}
