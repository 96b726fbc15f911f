// How payers type a card, by provider: which script takes it, and whose origins the page opens for then.
// The form of a company at one provider opens for that one alone.
import type { FastifyBaseLogger } from 'fastify'
import type { Company } from '../companies/company.ts'
import type { ProviderName } from '../database/enums.ts'
import type { Origins } from '../http/html.ts'
import { type Capabilities, getCapabilities } from '../providers/capabilities.ts'
import type { Providers } from '../providers/provider.ts'

type CardEntryConfig = {
  /** The form's whole script, a file of views/assets. */
  script: string
  form: Origins
  /** Where the bank asks the payer to confirm the purchase. */
  challenge: Origins & { frames?: true }
}

const CARD_ENTRIES: Record<NonNullable<Capabilities['cardEntry']>, CardEntryConfig> = {
  sandbox: { script: 'checkout-sandbox.js', form: {}, challenge: { frames: true } },
  'mercadopago-fields': {
    script: 'checkout-mercadopago.js',
    form: {
      // The second says what the payer's device is called; so do the last frame and the last connection.
      script: ['https://sdk.mercadopago.com', 'https://www.mercadopago.com/v2/security.js'],
      image: ['https://*.mercadopago.com', 'https://*.mercadolibre.com', 'https://*.mlstatic.com'],
      frame: ['https://secure-fields.mercadopago.com', 'https://www.mercadolibre.com'],
      // The fields' page is fetched before it is framed, from the second where the first fails.
      connect: [
        'https://secure-fields.mercadopago.com',
        'https://api-static.mercadopago.com',
        'https://api.mercadopago.com',
        'https://http2.mlstatic.com',
        'https://www.mercadolibre.com',
      ],
    },
    // The frame goes on from Mercado Pago to the bank, whose address may be any.
    challenge: { frame: ['https:'] },
  },
}

/** How a company's payers type a card. */
export type CardEntryForm = Pick<CardEntryConfig, 'script' | 'form'> & {
  /** Of the provider's own frames; null where our own inputs take the card. */
  publicKey: string | null
}

type CardEntryNeeds = { providers: Providers; log: FastifyBaseLogger }

/** Null while no card can be taken. */
export async function resolveCardEntry({ providers, log }: CardEntryNeeds, company: Company) {
  const { id, cardProvider } = company
  const cardEntry = cardProvider && getCapabilities(cardProvider).cardEntry
  if (!cardEntry) return null
  const { script, form } = CARD_ENTRIES[cardEntry]
  if (cardEntry === 'sandbox') return { script, form, publicKey: null }
  try {
    const { cardFields } = await providers.open(id, cardProvider)
    return cardFields ? { script, form, ...cardFields } : null
  } catch (err) {
    log.warn({ err, companyId: id }, 'cards cannot be taken')
    return null
  }
}

/** What the page of a payment opens for while its bank asks. */
export function getChallengeOrigins(provider: ProviderName) {
  const { cardEntry } = getCapabilities(provider)
  const { frames = false, ...origins } = cardEntry ? CARD_ENTRIES[cardEntry].challenge : {}
  return { frames, origins }
}
