// The profile of Pagar.me for the rest of the program.
import { type Adapter, buildBaseUrlField, withGuardedConnector } from '../profile.ts'
import { getPagarmeUrl, pagarmeConfig } from './config.ts'
import { createPagarmeProvider } from './provider.ts'
import { pagarmeTexts } from './texts.ts'

const { profile, fields, notifications, steps } = pagarmeTexts

export const pagarmeAdapter: Adapter = {
  ...profile,
  methods: ['credit_card'],
  cardEntry: { kind: 'redirect', brands: ['visa', 'mastercard', 'elo', 'amex', 'hipercard'] },
  cardNeedsEmail: true,
  cardNeedsAddress: false,
  cardTakesForeignDocuments: true,
  installmentQuotes: 'local',
  lists: null,
  listFields: () => ({
    main: [
      { name: 'secretKey', label: fields.secretKey, kind: 'secret', hint: fields.secretKeyHint },
    ],
    more: [buildBaseUrlField(fields)],
  }),
  notifications: { ...notifications, isPasted: true },
  steps,
  config: pagarmeConfig,
  // The key decides the host, so that a blank key has no known address.
  listAddresses: ({ baseUrl, secretKey }) => [
    baseUrl || (secretKey ? getPagarmeUrl({ secretKey: String(secretKey) }) : undefined),
  ],
  open: (config, needs) =>
    createPagarmeProvider(pagarmeConfig.parse(config), withGuardedConnector(needs)),
}
