import type { ProviderProfile } from '../profile.ts'
import { sandboxTexts } from './texts.ts'

export const sandboxProfile: ProviderProfile = {
  ...sandboxTexts,
  methods: ['pix', 'credit_card'],
  cardEntry: {
    brands: ['visa', 'mastercard', 'elo', 'amex', 'hipercard'],
    script: 'checkout-sandbox.js',
    isFramed: false,
    form: {},
    challenge: { frames: true },
  },
  cardNeedsEmail: false,
  installmentQuotes: 'local',
  reversals: false,
  lists: null,
  localPix: true,
}
