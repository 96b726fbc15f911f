// The capabilities of each provider.
import type { ProviderName } from '../database/enums.ts'
import type { Capabilities } from './profile.ts'
import { getProfile } from './registry.ts'

export function getCapabilities(provider: ProviderName): Capabilities {
  return getProfile(provider)
}
