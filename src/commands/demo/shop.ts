// The shop of the demonstration and its links: what they sell, and until when they can be paid.
import type { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import type { FeeTerms } from '../../companies/fee-terms.ts'
import { newIdAt } from '../../database/id.ts'
import { DAY_MS, MINUTE_MS } from '../../database/instant.ts'
import { buildLinkRow, type LinkRow } from '../../payment-links/payment-link.ts'
import { NewPaymentLink } from '../../payment-links/schema.ts'
import type { SeededRandom } from './random.ts'

export const DEMO_COMPANY = {
  name: 'Padaria Sol & Mar',
  taxId: '11222333000181',
  city: 'Florianópolis',
}
export const DEMO_SETTINGS = {
  color: '#b4531f',
  supportEmail: 'contato@solemar.example',
  supportPhone: '(48) 3222-1100',
  defaultMaxInstallments: 6,
  interestFreeUpTo: 3,
}

/** What it told of its providers on its first day. */
export const DEMO_FEE_TERMS: FeeTerms = {
  pix: [{ installments: 1, rateBps: 99, fixedCents: 0 }],
  credit_card: [
    { installments: 1, rateBps: 319, fixedCents: 39 },
    { installments: 2, rateBps: 389, fixedCents: 39 },
    { installments: 4, rateBps: 449, fixedCents: 39 },
  ],
}

/** Made so many days ago unless told, and closed in one way or the other since. */
type LinkPast = { madeDaysAgo?: number; expiredDaysAgo?: number; closed?: 'inactive' | 'archived' }
type LinkInput = Partial<z.input<typeof NewPaymentLink>>
/** The weight is how often it is bought, beside the others. */
type Product = [title: string, cents: number, weight: number, tags: string, LinkInput?, LinkPast?]
export type DemoLink = { row: LinkRow; weight: number; payableUntil: string; sold: number }

const OPENED_DAYS_AGO = 92
const CLOSED_DAYS_AGO = 30
const PIX_ONLY: LinkInput = { methods: ['pix'] }
const IN_FOUR = { maxInstallments: 4 }
const WITH_INTEREST: LinkInput = { maxInstallments: 6, interestMode: 'pass_to_customer' }
const TO_ORDER = {
  ...IN_FOUR,
  description: 'Recheio à sua escolha, com três dias de antecedência.',
}

const PRODUCTS: Product[] = [
  ['Bolo de cenoura com chocolate', 6_890, 12, 'bolos'],
  ['Bolo de aniversário 2 kg', 18_900, 10, 'bolos festas', TO_ORDER],
  ['Bolo de casamento: sinal', 95_000, 3, 'bolos festas', WITH_INTEREST],
  ['Torta de limão', 7_900, 9, 'tortas'],
  ['Torta salgada de frango', 8_490, 6, 'tortas salgados'],
  ['Cento de salgados', 11_900, 12, 'salgados festas'],
  ['Cento de docinhos', 13_900, 10, 'doces festas'],
  ['Cesta de café da manhã', 15_990, 9, 'cestas', IN_FOUR],
  ['Pão de fermentação natural: assinatura do mês', 8_900, 11, 'assinaturas pães'],
  ['Café em grãos 500 g', 4_990, 8, 'café'],
  ['Café em grãos: assinatura do mês', 8_990, 6, 'assinaturas café'],
  ['Coffee break para 20 pessoas', 68_000, 4, 'eventos empresas', IN_FOUR],
  ['Coffee break para 50 pessoas', 155_000, 2, 'eventos empresas', WITH_INTEREST],
  ['Festa infantil completa', 249_000, 2, 'festas', WITH_INTEREST],
  ['Encomenda da semana', 4_500, 9, 'pães', PIX_ONLY],
  ['Mensalidade Hotel Atlântico', 320_000, 0.6, 'empresas pães', PIX_ONLY],
  ['Oficina de pães: turma da manhã', 22_000, 5, 'oficinas', { ...IN_FOUR, maxPayments: 4 }],
  ['Oficina de confeitaria', 26_000, 4, 'oficinas', IN_FOUR, { expiredDaysAgo: 9 }],
  ['Panetone artesanal', 7_490, 14, 'doces natal', {}, { madeDaysAgo: 28 }],
  ['Ceia completa: reserva', 39_000, 6, 'natal', IN_FOUR, { madeDaysAgo: 21 }],
  ['Geleias da estação', 6_490, 4, 'doces', {}, { closed: 'inactive' }],
  ['Kit festa junina', 12_900, 2, 'festas', {}, { closed: 'archived' }],
]

export function buildLinks(company: Company, now: Date): DemoLink[] {
  return PRODUCTS.map((product, i) => buildLink(company, product, now, i))
}

function buildLink(company: Company, product: Product, now: Date, i: number): DemoLink {
  const [title, amountCents, weight, tags, input, past = {}] = product
  const { madeDaysAgo = OPENED_DAYS_AGO, expiredDaysAgo, closed } = past
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const at = new Date(daysAgo(madeDaysAgo).getTime() + i * MINUTE_MS)
  const wanted = NewPaymentLink.parse({
    title,
    amountCents,
    tags: tags.split(' '),
    maxInstallments: 1,
    methods: ['pix', 'credit_card'],
    ...input,
  })
  const made = buildLinkRow(company, wanted, { id: newIdAt(at.getTime()), now: at })
  const expiresAt = expiredDaysAgo ? daysAgo(expiredDaysAgo).toISOString() : null
  const closedAt = closed && daysAgo(CLOSED_DAYS_AGO).toISOString()
  const row = {
    ...made,
    status: closed ?? made.status,
    updatedAt: closedAt ?? made.updatedAt,
    expiresAt,
    expiryToldFor: expiresAt,
  }
  return { row, weight, sold: 0, payableUntil: closedAt ?? expiresAt ?? '9999' }
}

/** One that can be paid then. */
export function pickLink(random: SeededRandom, links: DemoLink[], at: Date) {
  const instant = at.toISOString()
  const open = links.filter(
    ({ row, payableUntil }) => row.createdAt < instant && instant < payableUntil,
  )
  return random.pickWeighted(open.map((link) => [link, link.weight] as const))
}
