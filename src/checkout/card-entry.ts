// How a company's payers type a card. The form of a company at one provider opens for that one alone.
import type { FastifyBaseLogger } from 'fastify'
import type { Company } from '../companies/company.ts'
import type { ProviderName } from '../database/enums.ts'
import type { CardEntry } from '../providers/profile.ts'
import type { Providers } from '../providers/provider.ts'
import { getProfile } from '../providers/registry.ts'

export type CardEntryForm = Pick<CardEntry, 'brands' | 'script' | 'form'> & {
  /** By the name that people know it by. */
  provider: string
  /** Of the provider's own frames; null where our own inputs take the card. */
  publicKey: string | null
}

type CardEntryNeeds = { providers: Providers; log: FastifyBaseLogger }

/** Null while no card can be taken. */
export async function resolveCardEntry(
  { providers, log }: CardEntryNeeds,
  company: Company,
): Promise<CardEntryForm | null> {
  const { id, cardProvider } = company
  if (!cardProvider) return null
  const { cardEntry, name: provider } = getProfile(cardProvider)
  if (!cardEntry) return null
  const { brands, script, form, isFramed } = cardEntry
  if (!isFramed) return { provider, brands, script, form, publicKey: null }
  try {
    const { cardFields } = await providers.open(id, cardProvider)
    return cardFields ? { provider, brands, script, form, ...cardFields } : null
  } catch (err) {
    log.warn({ err, companyId: id }, 'cards cannot be taken')
    return null
  }
}

/** What the page of a payment opens for while its bank asks. */
export function getChallengeOrigins(provider: ProviderName) {
  const { frames = false, ...origins } = getProfile(provider).cardEntry?.challenge ?? {}
  return { frames, origins }
}
