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
  reversals: true,
  lists: null,
  localPix: false,
  listFields: () => ({
    main: [
      { name: 'secretKey', label: fields.secretKey, kind: 'secret', hint: fields.secretKeyHint },
    ],
    more: [buildBaseUrlField(fields)],
  }),
  banks: null,
  notifications: { ...notifications, isPasted: true, suffixes: [] },
  steps,
  config: pagarmeConfig,
  addresses: ['baseUrl'],
  // The key says which host is its own: of one that is left blank nothing is known.
  listAddresses: ({ baseUrl, secretKey }) => [
    baseUrl || (secretKey ? getPagarmeUrl({ secretKey: String(secretKey) }) : undefined),
  ],
  secrets: ['secretKey'],
  files: [],
  certificate: [],
  open: (config, needs) =>
    createPagarmeProvider(pagarmeConfig.parse(config), withGuardedConnector(needs)),
}
