// The shop of the demonstration and what it sells.
import type { paymentLinks } from '../../database/tables.ts'

export const DEMO_COMPANY = {
  name: 'Padaria Sol & Mar',
  taxId: '11222333000181',
  city: 'Florianópolis',
  color: '#b4531f',
  supportEmail: 'contato@solemar.example',
  supportPhone: '4832221100',
  defaultMaxInstallments: 6,
  interestFreeUpTo: 3,
}

type ProductOptions = Partial<typeof paymentLinks.$inferInsert> & {
  /** When not from the start. */
  madeDaysAgo?: number
  expiredDaysAgo?: number
}

/** @param weight How often it is bought, beside the others. */
function product(
  title: string,
  amountCents: number,
  weight: number,
  tags: string,
  options: ProductOptions = {},
) {
  return { title, amountCents, weight, tags: tags.split(' '), options }
}

export type Product = ReturnType<typeof product>

const PIX_ONLY: ProductOptions = { methods: ['pix'] }
const IN_TWO = { maxInstallments: 2 }
const IN_FOUR = { maxInstallments: 4 }
const WITH_INTEREST: ProductOptions = { maxInstallments: 6, interestMode: 'pass_to_customer' }

export const PRODUCTS = [
  product('Bolo de cenoura com chocolate', 6_890, 12, 'bolos'),
  product('Bolo de fubá com goiabada', 5_490, 7, 'bolos'),
  product('Bolo de aniversário 2 kg', 18_900, 10, 'bolos festas', {
    maxInstallments: 3,
    description: 'Recheio e cobertura à sua escolha. Encomende com três dias de antecedência.',
  }),
  product('Bolo de casamento: sinal', 95_000, 3, 'bolos festas casamentos', WITH_INTEREST),
  product('Torta de limão', 7_900, 9, 'tortas'),
  product('Torta salgada de frango', 8_490, 6, 'tortas salgados'),
  product('Cento de salgados', 11_900, 12, 'salgados festas'),
  product('Cento de docinhos', 13_900, 10, 'doces festas'),
  product('Cesta de café da manhã', 15_990, 9, 'cestas', IN_TWO),
  product('Cesta de café da manhã especial', 24_990, 5, 'cestas', IN_FOUR),
  product('Pão de fermentação natural: assinatura do mês', 8_900, 11, 'assinaturas pães'),
  product('Café em grãos 500 g', 4_990, 8, 'café'),
  product('Café em grãos: assinatura do mês', 8_990, 6, 'assinaturas café'),
  product('Coffee break para 20 pessoas', 68_000, 4, 'eventos empresas', IN_FOUR),
  product('Coffee break para 50 pessoas', 155_000, 2, 'eventos empresas', WITH_INTEREST),
  product('Festa infantil completa', 249_000, 2, 'eventos festas', {
    ...WITH_INTEREST,
    maxInstallments: 12,
    description: 'Bolo, 300 salgados, 200 docinhos e bebidas para 40 crianças.',
  }),
  product('Encomenda da semana', 4_500, 9, 'pães', PIX_ONLY),
  product('Mensalidade Hotel Atlântico', 320_000, 0.6, 'empresas pães', PIX_ONLY),
  product('Mensalidade Escola Girassol', 185_000, 0.6, 'empresas pães', PIX_ONLY),
  product('Oficina de pães: turma da manhã', 22_000, 5, 'oficinas', { ...IN_TWO, maxPayments: 16 }),
  product('Oficina de confeitaria', 26_000, 4, 'oficinas', {
    ...IN_TWO,
    madeDaysAgo: 45,
    expiredDaysAgo: 9,
  }),
  product('Panetone artesanal', 7_490, 14, 'doces natal', { madeDaysAgo: 28 }),
  product('Ceia completa: reserva', 39_000, 6, 'natal eventos', { ...IN_FOUR, madeDaysAgo: 21 }),
  product('Geleias da estação, kit com três', 6_490, 4, 'doces', {
    status: 'inactive',
    inactiveMessage: 'Voltamos em janeiro, com as frutas da nova colheita.',
  }),
  product('Kit festa junina', 12_900, 2, 'festas', { status: 'archived' }),
]
