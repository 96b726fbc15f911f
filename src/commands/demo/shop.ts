// The shop of the demonstration: a bakery, its links and its customers, all invented.

import type { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import type { FeeTerms } from '../../companies/fee-terms.ts'
import { requireFound } from '../../database/found.ts'
import { newIdAt } from '../../database/id.ts'
import { DAY_MS, MINUTE_MS } from '../../database/instant.ts'
import { parseTaxId } from '../../payer-rules.js'
import { buildLinkRow } from '../../payment-links/payment-link.ts'
import { NewPaymentLink } from '../../payment-links/schema.ts'

export const DEMO_DAYS = 360

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
export const DEMO_FEE_TERMS: FeeTerms = {
  pix: [{ installments: 1, rateBps: 99, fixedCents: 0 }],
  credit_card: [
    { installments: 1, rateBps: 319, fixedCents: 39 },
    { installments: 2, rateBps: 449, fixedCents: 39 },
  ],
}

type Product = [
  title: string,
  cents: number,
  tags: string,
  input?: Partial<z.input<typeof NewPaymentLink>>,
  /** How many days ago the link was created, and expired. */
  past?: { from?: number; until?: number },
]

const IN_FOUR = { maxInstallments: 4 }
const WITH_INTEREST = { maxInstallments: 6, interestMode: 'pass_to_customer' } as const
const PIX_ONLY: Product[3] = { methods: ['pix'] }

/** Best-selling products first. */
const PRODUCTS: Product[] = [
  ['Panetone artesanal', 7_490, 'doces natal', {}, { from: 28 }],
  ['Bolo de cenoura com chocolate', 6_890, 'bolos'],
  ['Cento de salgados', 11_900, 'salgados festas'],
  ['Pão de fermentação natural: assinatura do mês', 8_900, 'assinaturas pães'],
  ['Bolo de aniversário 2 kg', 18_900, 'bolos festas', IN_FOUR],
  ['Cento de docinhos', 13_900, 'doces festas'],
  ['Cesta de café da manhã', 15_990, 'cestas', IN_FOUR],
  ['Torta de limão', 7_900, 'tortas'],
  ['Encomenda da semana', 4_500, 'pães', PIX_ONLY],
  ['Café em grãos 500 g', 4_990, 'café'],
  ['Ceia completa: reserva', 39_000, 'natal', IN_FOUR, { from: 21 }],
  ['Oficina de pães: turma da manhã', 22_000, 'oficinas', { ...IN_FOUR, maxPayments: 4 }],
  ['Geleias da estação', 6_490, 'doces', {}, { until: 30 }],
  ['Mensalidade Hotel Atlântico', 320_000, 'empresas pães', PIX_ONLY],
  ['Coffee break para 50 pessoas', 155_000, 'eventos empresas', WITH_INTEREST],
  ['Festa infantil completa', 249_000, 'festas', { ...WITH_INTEREST, status: 'inactive' }],
]

export function buildDemoLinks(company: Company, now: Date) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return PRODUCTS.map(([title, amountCents, tags, input, past = {}], i) => {
    const madeAt = new Date(daysAgo(past.from ?? DEMO_DAYS).getTime() + i * MINUTE_MS)
    const expiresAt = past.until ? daysAgo(past.until).toISOString() : null
    const methods: ('pix' | 'credit_card')[] = ['pix', 'credit_card']
    const base = { title, amountCents, tags: tags.split(' '), maxInstallments: 1, methods }
    const wanted = NewPaymentLink.parse({ ...base, ...input })
    const made = buildLinkRow(company, wanted, { id: newIdAt(madeAt.getTime()), now: madeAt })
    return { ...made, expiresAt, expiryEmittedFor: expiresAt }
  })
}

const FIRST_NAMES = ['Ana', 'Bruno', 'Camila', 'Débora', 'Eduardo', 'Gabriel', 'João', 'Júlia']
const SURNAMES = ['Azevedo', 'Barbosa', 'Conceição', 'Costa', 'Gonçalves', 'Lima', 'Moraes']
const COMPANIES = ['Hotel Atlântico Ltda', 'Escola Girassol Ltda', 'Clínica Vida Plena']

export function buildDemoPayers() {
  const people = SURNAMES.flatMap((surname) => FIRST_NAMES.map((name) => `${name} ${surname}`))
  return [
    ...people.map((name, i) => buildPayer(name, `${301_577_000 + 7_919 * i}`)),
    ...COMPANIES.map((name, i) => buildPayer(name, `${30_157_700 + 7_919 * i}0001`)),
  ]
}

function buildPayer(name: string, taxIdBase: string) {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
  const email = `${plain.replaceAll(' ', '.')}@exemplo.example`
  return { name, email, taxId: completeTaxId(taxIdBase), phone: null }
}

function completeTaxId(base: string) {
  const possible = Array.from({ length: 100 }, (_, i) => base + `${i}`.padStart(2, '0'))
  return requireFound(possible.find((taxId) => parseTaxId(taxId) === taxId))
}
