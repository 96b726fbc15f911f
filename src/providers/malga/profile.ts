// The profile of Malga for the rest of the program.
import {
  type Adapter,
  buildBaseUrlField,
  ENVIRONMENT_FIELD,
  LIABILITY_SHIFT_FIELD,
  withGuardedConnector,
} from '../profile.ts'
import { COLLECTORS } from './card-fields.ts'
import { getMalgaUrl, malgaConfig } from './config.ts'
import { createMalgaProvider } from './provider.ts'
import { malgaTexts } from './texts.ts'

const { profile, fields, notifications, steps } = malgaTexts

export const malgaAdapter: Adapter = {
  ...profile,
  methods: ['credit_card'],
  cardEntry: {
    kind: 'form',
    brands: ['visa', 'mastercard', 'elo', 'amex', 'hipercard'],
    script: 'checkout-malga.js',
    isFramed: true,
    form: {
      frame: [
        'https://hosted-fields.malga.io',
        'https://hosted-fields-sandbox.malga.io',
        COLLECTORS,
      ],
      form: [COLLECTORS],
    },
    // The payer goes to the bank's page, which may have any address, and comes back.
    challenge: { form: ['https:'] },
  },
  cardNeedsEmail: true,
  cardNeedsAddress: true,
  // The form asks for a Brazilian address, which payers without a CPF seldom have.
  cardTakesForeignDocuments: false,
  installmentQuotes: 'local',
  lists: null,
  listFields: () => ({
    main: [
      ENVIRONMENT_FIELD,
      { name: 'clientId', label: fields.clientId, kind: 'text' },
      { name: 'apiKey', label: fields.apiKey, kind: 'secret' },
      { name: 'merchantId', label: fields.merchantId, kind: 'text' },
      LIABILITY_SHIFT_FIELD,
    ],
    more: [buildBaseUrlField(fields)],
  }),
  notifications: { ...notifications, isPasted: false },
  steps,
  config: malgaConfig,
  configHelp:
    'malga takes clientId, apiKey, merchantId and test; liabilityShift as mercadopago has it.',
  listAddresses: ({ baseUrl = '', test }) => [baseUrl || getMalgaUrl({ test: test === true })],
  open: (config, needs) =>
    createMalgaProvider(malgaConfig.parse(config), withGuardedConnector(needs)),
}
