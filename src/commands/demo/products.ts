// The shop of the demonstration and what it sells.
import type { InterestMode, Method } from '../../database/enums.ts'

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

export type Product = {
  title: string
  amountCents: number
  tags: string[]
  /** How often it is bought, beside the others. */
  weight: number
  maxInstallments?: number
  methods?: Method[]
  interestMode?: InterestMode
  description?: string
  /** Days ago, when not from the start. */
  madeDaysAgo?: number
  maxPayments?: number
  expiredDaysAgo?: number
  status?: 'inactive' | 'archived'
  inactiveMessage?: string
}

const PIX_ONLY: Method[] = ['pix']

export const PRODUCTS: Product[] = [
  { title: 'Bolo de cenoura com chocolate', amountCents: 6_890, tags: ['bolos'], weight: 12 },
  { title: 'Bolo de fubá com goiabada', amountCents: 5_490, tags: ['bolos'], weight: 7 },
  {
    title: 'Bolo de aniversário 2 kg',
    amountCents: 18_900,
    tags: ['bolos', 'festas'],
    weight: 10,
    maxInstallments: 3,
    description:
      'Massa, recheio e cobertura à sua escolha. Encomende com três dias de antecedência.',
  },
  {
    title: 'Bolo de casamento: sinal',
    amountCents: 95_000,
    tags: ['bolos', 'festas', 'casamentos'],
    weight: 3,
    maxInstallments: 6,
    interestMode: 'pass_to_customer',
  },
  { title: 'Torta de limão', amountCents: 7_900, tags: ['tortas'], weight: 9 },
  { title: 'Torta salgada de frango', amountCents: 8_490, tags: ['tortas', 'salgados'], weight: 6 },
  { title: 'Cento de salgados', amountCents: 11_900, tags: ['salgados', 'festas'], weight: 12 },
  { title: 'Cento de docinhos', amountCents: 13_900, tags: ['doces', 'festas'], weight: 10 },
  {
    title: 'Cesta de café da manhã',
    amountCents: 15_990,
    tags: ['cestas'],
    weight: 9,
    maxInstallments: 2,
  },
  {
    title: 'Cesta de café da manhã especial',
    amountCents: 24_990,
    tags: ['cestas'],
    weight: 5,
    maxInstallments: 4,
  },
  {
    title: 'Pão de fermentação natural: assinatura do mês',
    amountCents: 8_900,
    tags: ['assinaturas', 'pães'],
    weight: 11,
  },
  { title: 'Café em grãos 500 g', amountCents: 4_990, tags: ['café'], weight: 8 },
  {
    title: 'Café em grãos: assinatura do mês',
    amountCents: 8_990,
    tags: ['assinaturas', 'café'],
    weight: 6,
  },
  {
    title: 'Coffee break para 20 pessoas',
    amountCents: 68_000,
    tags: ['eventos', 'empresas'],
    weight: 4,
    maxInstallments: 3,
  },
  {
    title: 'Coffee break para 50 pessoas',
    amountCents: 155_000,
    tags: ['eventos', 'empresas'],
    weight: 2,
    maxInstallments: 6,
    interestMode: 'pass_to_customer',
  },
  {
    title: 'Festa infantil completa',
    amountCents: 249_000,
    tags: ['eventos', 'festas'],
    weight: 2,
    maxInstallments: 12,
    interestMode: 'pass_to_customer',
    description: 'Bolo, 300 salgados, 200 docinhos e bebidas para 40 crianças.',
  },
  {
    title: 'Encomenda da semana',
    amountCents: 4_500,
    tags: ['pães'],
    weight: 9,
    methods: PIX_ONLY,
  },
  {
    title: 'Mensalidade Hotel Atlântico',
    amountCents: 320_000,
    tags: ['empresas', 'pães'],
    weight: 0.6,
    methods: PIX_ONLY,
  },
  {
    title: 'Mensalidade Escola Girassol',
    amountCents: 185_000,
    tags: ['empresas', 'pães'],
    weight: 0.6,
    methods: PIX_ONLY,
  },
  {
    title: 'Oficina de pães: turma da manhã',
    amountCents: 22_000,
    tags: ['oficinas'],
    weight: 5,
    maxInstallments: 2,
    maxPayments: 16,
  },
  {
    title: 'Oficina de confeitaria',
    amountCents: 26_000,
    tags: ['oficinas'],
    weight: 4,
    maxInstallments: 2,
    madeDaysAgo: 45,
    expiredDaysAgo: 9,
  },
  {
    title: 'Panetone artesanal',
    amountCents: 7_490,
    tags: ['doces', 'natal'],
    weight: 14,
    madeDaysAgo: 28,
  },
  {
    title: 'Ceia completa: reserva',
    amountCents: 39_000,
    tags: ['natal', 'eventos'],
    weight: 6,
    madeDaysAgo: 21,
    maxInstallments: 4,
  },
  {
    title: 'Geleias da estação, kit com três',
    amountCents: 6_490,
    tags: ['doces'],
    weight: 4,
    status: 'inactive',
    inactiveMessage: 'Voltamos em janeiro, com as frutas da nova colheita.',
  },
  {
    title: 'Kit festa junina',
    amountCents: 12_900,
    tags: ['festas'],
    weight: 2,
    status: 'archived',
  },
]
