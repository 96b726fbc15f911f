import {
  type Adapter,
  buildBaseUrlField,
  ENVIRONMENT_FIELD,
  withGuardedConnector,
} from '../profile.ts'
import { getOpenPixUrl, openPixConfig } from './config.ts'
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
  lists: 'received',
  listFields: () => ({
    main: [ENVIRONMENT_FIELD, { name: 'appId', label: fields.appId, kind: 'secret' }],
    more: [buildBaseUrlField(fields)],
  }),
  notifications: { ...notifications, isPasted: false },
  steps,
  config: openPixConfig,
  listAddresses: ({ baseUrl = '', test }) => [baseUrl || getOpenPixUrl({ test: test === true })],
  open: (config, needs) =>
    createOpenPixProvider(openPixConfig.parse(config), withGuardedConnector(needs)),
}
