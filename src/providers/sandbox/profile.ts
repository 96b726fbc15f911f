// The profiles of the simulated bank and of the simulated acquirer for the rest of the program.
import type { SandboxName } from '../../database/enums.ts'
import type { ProviderProfile } from '../profile.ts'
import { sandboxTexts } from './texts.ts'

const { names, ...common } = sandboxTexts
const brands = ['visa', 'mastercard', 'elo', 'amex', 'hipercard'] as const

const sandboxProfile: ProviderProfile = {
  ...common,
  ...names.sandbox,
  methods: ['pix', 'credit_card'],
  cardEntry: {
    kind: 'form',
    brands,
    script: 'checkout-sandbox.js',
    isFramed: false,
    form: {},
    challenge: { frames: true },
  },
  cardNeedsEmail: false,
  cardNeedsAddress: false,
  cardTakesForeignDocuments: true,
  installmentQuotes: 'local',
  lists: null,
}

export const sandboxProfiles: Record<SandboxName, ProviderProfile> = {
  sandbox: sandboxProfile,
  'sandbox-page': {
    ...sandboxProfile,
    ...names['sandbox-page'],
    methods: ['credit_card'],
    cardEntry: { kind: 'redirect', brands },
  },
}
