import {
  type Adapter,
  buildBaseUrlField,
  ENVIRONMENT_FIELD,
  withGuardedConnector,
} from '../profile.ts'
import { getOpenPixUrl, openPixConfig, openPixSecrets } from './config.ts'
import { createOpenPixProvider } from './provider.ts'
import { openPixTexts } from './texts.ts'

const { profile, fields, notifications, steps } = openPixTexts

export const openPixAdapter: Adapter = {
  ...profile,
  methods: ['pix'],
  cardEntry: null,
  cardNeedsEmail: false,
  cardNeedsAddress: false,
  cardTakesForeignDocuments: false,
  installmentQuotes: 'local',
  reversals: true,
  lists: 'received',
  localPix: false,
  listFields: () => ({
    main: [ENVIRONMENT_FIELD, { name: 'appId', label: fields.appId, kind: 'secret' }],
    more: [buildBaseUrlField(fields)],
  }),
  banks: null,
  notifications: { ...notifications, isPasted: false, suffixes: [] },
  steps,
  config: openPixConfig,
  addresses: ['baseUrl'],
  listAddresses: ({ baseUrl = '', test }) => [baseUrl || getOpenPixUrl({ test: test === true })],
  secrets: openPixSecrets,
  files: [],
  certificate: [],
  open: (config, needs) =>
    createOpenPixProvider(openPixConfig.parse(config), withGuardedConnector(needs)),
}
