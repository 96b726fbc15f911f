// The providers that a company has an account of its own at, and what an account is made of.
import type { FastifyBaseLogger } from 'fastify'
import type { z } from 'zod'
import { PROVIDER_NAMES, type ProviderName } from '../database/enums.ts'
import { createGuardedConnector } from '../http/outbound.ts'
import {
  createMercadoPagoProvider,
  MERCADO_PAGO_URL,
  mercadoPagoConfig,
  mercadoPagoSecrets,
} from './mercadopago/provider.ts'
import { getOpenPixUrl, openPixConfig, openPixSecrets } from './openpix/config.ts'
import { createOpenPixProvider } from './openpix/provider.ts'
import {
  listBankAddresses,
  pixApiCertificate,
  pixApiConfig,
  pixApiFiles,
  pixApiSecrets,
} from './pix-api/config.ts'
import { modernizeCertificate } from './pix-api/pkcs12.ts'
import { createPixApiProvider } from './pix-api/provider.ts'
import type { Provider } from './provider.ts'

export type RealProvider = Exclude<ProviderName, 'sandbox'>

export const REAL_PROVIDERS = PROVIDER_NAMES.filter((name) => name !== 'sandbox')

export type AdapterNeeds = {
  log: FastifyBaseLogger
  now: () => Date
  /** Lets accounts be at http and at private addresses; never unless told. */
  allowPrivate?: boolean
  /** How far the provider's clock is known to be ahead. */
  clockOffsetHours?: number
  /** Hears which field of an answer could not be read. */
  onUnreadable?: (field: string) => void
}

export type Adapter = {
  config: z.ZodType<object>
  /** Fields that say where to connect to. */
  addresses: readonly string[]
  /** Where secrets are sent, in one order: what those fields say, or else what is known. */
  listAddresses(config: Record<string, unknown>): unknown[]
  /** Never shown again; `extraQuery.x` is the key x of extraQuery. */
  secrets: readonly string[]
  /** What a form can't show either. With the secrets it stays as it was where it is left blank. */
  files: readonly string[]
  /** Of these one given anew takes the place of all. */
  certificate: readonly string[]
  /** What is kept of a configuration that `config` let through; throws an AppError at its field. */
  normalize?(config: unknown): Promise<object>
  /** Throws when the configuration is not one that `config` let through. */
  open(config: unknown, needs: AdapterNeeds): Provider
}

const ADAPTERS: Record<RealProvider, Adapter> = {
  'pix-api': {
    config: pixApiConfig,
    addresses: ['baseUrl', 'tokenUrl'],
    listAddresses: listBankAddresses,
    secrets: pixApiSecrets,
    files: pixApiFiles,
    certificate: pixApiCertificate,
    normalize: (config) => modernizeCertificate(pixApiConfig.parse(config)),
    open: (config, needs) =>
      createPixApiProvider(pixApiConfig.parse(config), withGuardedConnector(needs)),
  },
  mercadopago: {
    config: mercadoPagoConfig,
    addresses: ['baseUrl'],
    listAddresses: ({ baseUrl = MERCADO_PAGO_URL }) => [baseUrl],
    secrets: mercadoPagoSecrets,
    files: [],
    certificate: [],
    open: (config, needs) =>
      createMercadoPagoProvider(mercadoPagoConfig.parse(config), withGuardedConnector(needs)),
  },
  openpix: {
    config: openPixConfig,
    addresses: ['baseUrl'],
    listAddresses: ({ baseUrl = '', test }) => [baseUrl || getOpenPixUrl({ test: test === true })],
    secrets: openPixSecrets,
    files: [],
    certificate: [],
    open: (config, needs) =>
      createOpenPixProvider(openPixConfig.parse(config), withGuardedConnector(needs)),
  },
}

export function getAdapter(name: RealProvider): Adapter {
  return ADAPTERS[name]
}

function withGuardedConnector({ allowPrivate = false, ...needs }: AdapterNeeds) {
  return { ...needs, connector: createGuardedConnector({ allowPrivate }) }
}
