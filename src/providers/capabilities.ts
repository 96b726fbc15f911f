// What each provider can do, whoever's account it is.
import type { PaymentMethod, ProviderName } from '../database/enums.ts'

/** What holds for every account at a provider. */
export type Capabilities = {
  methods: readonly PaymentMethod[]
  /** How the payer's browser turns a card into a token. */
  cardEntry: 'sandbox' | 'mercadopago-fields' | null
  /** Whether no card is charged without its payer's e-mail. */
  cardNeedsEmail: boolean
  /** Who says what installments cost. */
  installmentQuotes: 'local' | 'provider'
  /** Whether money can leave an approved payment without us: refunds there, chargebacks. */
  reversals: boolean
  /** What it lists of an account: all that came in by Pix, and what of that has gone back or is contested. */
  lists: 'received' | 'everything' | null
  /** Whether a Pix is charged without asking anybody: its code is written with the attempt itself. */
  localPix: boolean
}

const CAPABILITIES: Record<ProviderName, Capabilities> = {
  sandbox: {
    methods: ['pix', 'credit_card'],
    cardEntry: 'sandbox',
    cardNeedsEmail: false,
    installmentQuotes: 'local',
    reversals: false,
    lists: null,
    localPix: true,
  },
  'pix-api': {
    methods: ['pix'],
    cardEntry: null,
    cardNeedsEmail: false,
    installmentQuotes: 'local',
    reversals: true,
    lists: 'everything',
    localPix: false,
  },
  mercadopago: {
    methods: ['pix', 'credit_card'],
    cardEntry: 'mercadopago-fields',
    cardNeedsEmail: true,
    installmentQuotes: 'provider',
    reversals: true,
    lists: null,
    localPix: false,
  },
  openpix: {
    methods: ['pix'],
    cardEntry: null,
    cardNeedsEmail: false,
    installmentQuotes: 'local',
    reversals: true,
    lists: 'received',
    localPix: false,
  },
}

export function getCapabilities(provider: ProviderName): Capabilities {
  return CAPABILITIES[provider]
}
