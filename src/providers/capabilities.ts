// What each provider can do, whoever's account it is.
import type { ProviderName } from '../database/enums.ts'
import type { Capabilities } from './provider.ts'

const CAPABILITIES: Record<ProviderName, Capabilities> = {
  sandbox: {
    methods: ['pix', 'credit_card'],
    cardEntry: 'sandbox',
    installmentQuotes: 'local',
    reversals: false,
    localPix: true,
  },
  'pix-api': {
    methods: ['pix'],
    cardEntry: null,
    installmentQuotes: 'local',
    reversals: true,
    localPix: false,
  },
  mercadopago: {
    methods: ['pix', 'credit_card'],
    cardEntry: 'mercadopago-fields',
    installmentQuotes: 'provider',
    reversals: true,
    localPix: false,
  },
  openpix: {
    methods: ['pix'],
    cardEntry: null,
    installmentQuotes: 'local',
    reversals: true,
    localPix: false,
  },
}

export function getCapabilities(provider: ProviderName): Capabilities {
  return CAPABILITIES[provider]
}
