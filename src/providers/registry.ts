// The providers: each is named here and in PROVIDER_NAMES, and nowhere else outside its own room.
import {
  isSandbox,
  PROVIDER_NAMES,
  type ProviderName,
  type RealProvider,
} from '../database/enums.ts'
import { malgaAdapter } from './malga/profile.ts'
import { mercadoPagoAdapter } from './mercadopago/profile.ts'
import { openPixAdapter } from './openpix/profile.ts'
import { pagarmeAdapter } from './pagarme/profile.ts'
import { pixApiAdapter } from './pix-api/profile.ts'
import type { Adapter, ProviderProfile } from './profile.ts'
import { sandboxProfiles } from './sandbox/profile.ts'

export type { RealProvider }

export const REAL_PROVIDERS = PROVIDER_NAMES.filter((name) => !isSandbox(name))

const ADAPTERS: Record<RealProvider, Adapter> = {
  'pix-api': pixApiAdapter,
  mercadopago: mercadoPagoAdapter,
  openpix: openPixAdapter,
  pagarme: pagarmeAdapter,
  malga: malgaAdapter,
}

export function getAdapter(name: RealProvider): Adapter {
  return ADAPTERS[name]
}

export function getProfile(name: ProviderName): ProviderProfile {
  return isSandbox(name) ? sandboxProfiles[name] : ADAPTERS[name]
}
