// How a company's payers enter a card. The security policy of a form allows only the frames of that company's provider.
import type { Company } from '../companies/company.ts'
import type { ProviderName } from '../database/enums.ts'
import type { CardForm } from '../providers/profile.ts'
import { getProfile } from '../providers/registry.ts'
import type { PayNeeds } from '../transactions/needs.ts'

export type CardEntryForm = Pick<CardForm, 'brands' | 'script' | 'form'> & {
  /** The provider's common name. */
  provider: string
  /** The public key for the provider's frames; null if our own inputs take the card, or if no inputs do. */
  publicKey: string | null
  /** The card is entered at the provider's own page. */
  isElsewhere: boolean
  /** The provider gives its frames a key for each card. */
  hasSession?: boolean
}

/** Null while cards cannot be accepted. */
export async function resolveCardEntry(
  { providers, log }: PayNeeds,
  company: Company,
): Promise<CardEntryForm | null> {
  const { id, cardProvider } = company
  if (!cardProvider) return null
  const { cardEntry, name: provider } = getProfile(cardProvider)
  if (!cardEntry) return null
  const { brands } = cardEntry
  const plain = { provider, brands, publicKey: null }
  if (cardEntry.kind === 'redirect')
    return { ...plain, script: 'checkout.js', form: {}, isElsewhere: true }
  const { script, form, isFramed } = cardEntry
  const entry = { ...plain, script, form, isElsewhere: false }
  if (!isFramed) return entry
  try {
    const { cardFields, openCardFields } = await providers.open(id, cardProvider)
    const hasSession = openCardFields !== undefined
    return cardFields ? { ...entry, ...cardFields, hasSession } : null
  } catch (err) {
    log.warn({ err, companyId: id }, 'cards cannot be accepted')
    return null
  }
}

/** Whether the card is entered at the provider's own page, and our form has no fields for it. */
export function isEnteredElsewhere(provider: ProviderName | null) {
  return provider !== null && getProfile(provider).cardEntry?.kind === 'redirect'
}

/** The origins that a payment's page allows while the payer's bank asks for a confirmation. */
export function getChallengeOrigins(provider: ProviderName) {
  const { cardEntry } = getProfile(provider)
  const { frames = false, ...origins } = cardEntry?.kind === 'form' ? cardEntry.challenge : {}
  return { frames, origins }
}
