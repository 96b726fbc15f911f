// The profile of Mercado Pago for the rest of the program.
import {
  type Adapter,
  buildBaseUrlField,
  LIABILITY_SHIFT_FIELD,
  withGuardedConnector,
} from '../profile.ts'
import { createMercadoPagoProvider, MERCADO_PAGO_URL, mercadoPagoConfig } from './provider.ts'
import { mercadoPagoTexts } from './texts.ts'

const { profile, fields, notifications, steps } = mercadoPagoTexts

export const mercadoPagoAdapter: Adapter = {
  ...profile,
  methods: ['pix', 'credit_card'],
  cardEntry: {
    kind: 'form',
    brands: ['visa', 'mastercard', 'elo', 'amex', 'hipercard'],
    script: 'checkout-mercadopago.js',
    isFramed: true,
    form: {
      // The second one identifies the payer's device; the last frame and connection belong to it.
      script: ['https://sdk.mercadopago.com', 'https://www.mercadopago.com/v2/security.js'],
      image: ['https://*.mercadopago.com', 'https://*.mercadolibre.com', 'https://*.mlstatic.com'],
      frame: ['https://secure-fields.mercadopago.com', 'https://www.mercadolibre.com'],
      // The page of the fields is fetched before it is framed, from the second address if the first one fails.
      connect: [
        'https://secure-fields.mercadopago.com',
        'https://api-static.mercadopago.com',
        'https://api.mercadopago.com',
        'https://http2.mlstatic.com',
        'https://www.mercadolibre.com',
      ],
    },
    // From Mercado Pago the frame continues to the bank, at any address.
    challenge: { frame: ['https:'] },
  },
  cardNeedsEmail: true,
  cardNeedsAddress: false,
  cardTakesForeignDocuments: false,
  installmentQuotes: 'provider',
  lists: 'changes',
  listFields: () => ({
    main: [
      { name: 'publicKey', label: fields.publicKey, kind: 'text' },
      { name: 'accessToken', label: fields.accessToken, kind: 'secret' },
      { name: 'webhookSecret', label: fields.webhookSecret, kind: 'secret' },
      LIABILITY_SHIFT_FIELD,
      { name: 'test', label: fields.testUser, kind: 'box', hint: fields.testUserHint },
    ],
    more: [buildBaseUrlField(fields)],
  }),
  notifications: { ...notifications, isPasted: true },
  steps,
  config: mercadoPagoConfig,
  configHelp:
    'liabilityShift of mercadopago: required (default), or preferred to approve cards also where their bank does not bear fraud.',
  listAddresses: ({ baseUrl = MERCADO_PAGO_URL }) => [baseUrl],
  open: (config, needs) =>
    createMercadoPagoProvider(mercadoPagoConfig.parse(config), withGuardedConnector(needs)),
}
