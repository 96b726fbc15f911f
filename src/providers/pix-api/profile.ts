import { type Adapter, type Bank, ENVIRONMENT_FIELD, withGuardedConnector } from '../profile.ts'
import { listBankAddresses, pixApiCertificate, pixApiConfig, readIdentityTerm } from './config.ts'
import { modernizeCertificate } from './pkcs12.ts'
import { BANK_FIELDS } from './preset-fields.ts'
import { DEFAULT_BEHAVIOR, PIX_API_PRESETS, PRESETS } from './presets.ts'
import { createPixApiProvider } from './provider.ts'
import { pixApiTexts } from './texts.ts'

const { profile, fields, notifications, steps } = pixApiTexts

export const pixApiAdapter: Adapter = {
  ...profile,
  methods: ['pix'],
  cardEntry: null,
  cardNeedsEmail: false,
  cardNeedsAddress: false,
  cardTakesForeignDocuments: false,
  installmentQuotes: 'local',
  lists: 'everything',
  listFields: listBankFields,
  banks: listBanks(),
  credentials: null,
  notifications: { ...notifications, isPasted: false, suffixes: ['/pix'] },
  steps,
  config: pixApiConfig,
  listAddresses: listBankAddresses,
  certificate: pixApiCertificate,
  findCertificateEnd,
  normalize: (config) => modernizeCertificate(pixApiConfig.parse(config)),
  open: (config, needs) =>
    createPixApiProvider(pixApiConfig.parse(config), withGuardedConnector(needs)),
}

/** Lists the bank's fields and all others; a blank address shows the known one. */
function listBankFields(bank = 'custom') {
  const { fields: main, production } =
    PRESETS[PIX_API_PRESETS.find((preset) => preset === bank) ?? 'custom']
  const named = new Set(main.map(({ name }) => name))
  const more = BANK_FIELDS.filter(({ name }) => !named.has(name)).map((field) =>
    production && (field.name === 'baseUrl' || field.name === 'tokenUrl')
      ? { ...field, hint: fields.knownAddress(production[field.name]) }
      : field,
  )
  return { main: [ENVIRONMENT_FIELD, ...main], more }
}

function listBanks() {
  const banks: Record<string, Bank> = {}
  for (const preset of PIX_API_PRESETS) {
    const bank = PRESETS[preset]
    banks[preset] = { ...bank, behavior: { ...DEFAULT_BEHAVIOR, ...bank.behavior } }
  }
  return banks
}

function findCertificateEnd(config: unknown) {
  const { data } = pixApiConfig.safeParse(config)
  if (!data) return undefined
  try {
    return readIdentityTerm(data)?.until
  } catch {
    return undefined
  }
}
