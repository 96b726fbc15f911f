// The profile of a provider for the rest of the program: its capabilities, its name, the fields of an account. Each
// provider's room has one (`<provider>/profile.ts`); registry.ts lists them.

import type { FastifyBaseLogger } from 'fastify'
import type { z } from 'zod'
import type { PaymentMethod } from '../database/enums.ts'
import type { CardBrand } from '../format.ts'
import type { Origins } from '../http/html.ts'
import { createGuardedConnector } from '../http/outbound.ts'
import type { Provider } from './provider.ts'
import { providerAccountTexts } from './texts.ts'

const { environment: words, liabilityShift } = providerAccountTexts

/** How a payer enters a card. */
export type CardEntry = CardForm | CardPage

/** In our form: the script that takes the card, and the origins that the pages must allow for it. */
export type CardForm = {
  kind: 'form'
  /** The brands that the form shows. */
  brands: readonly CardBrand[]
  /** The form's whole script, a file of views/assets. */
  script: string
  /** Whether the provider's own frames take the card, not our inputs. */
  isFramed: boolean
  form: Origins
  /** Where the bank asks the payer to confirm the purchase. */
  challenge: Origins & { frames?: true }
}

/** At the provider's own page, which the payer goes to and comes back from: our form has no fields for it. */
type CardPage = { kind: 'redirect'; brands: readonly CardBrand[] }

/** Capabilities of every account at a provider. */
type Capabilities = {
  methods: readonly PaymentMethod[]
  /** How payers type a card; null when cards are not supported. */
  cardEntry: CardEntry | null
  /** Whether a card payment needs the payer's e-mail. */
  cardNeedsEmail: boolean
  /** Whether a card payment needs the address that the card's bank knows. */
  cardNeedsAddress: boolean
  /** Whether a card may be paid with a document of another country instead of a CPF or CNPJ. */
  cardTakesForeignDocuments: boolean
  /** The source of installment prices. */
  installmentQuotes: 'local' | 'provider'
  /**
   * Which lists an account has: all Pix received, and their disputes; also their refunds; or one of all charges that
   * changed.
   */
  lists: 'received' | 'everything' | 'changes' | null
}

export type ProviderProfile = Capabilities & {
  name: string
  about: string
  /** Where a company answers a dispute. */
  answerDisputesAt: string
}

/**
 * How a field of an account's form is shown and read. Secrets and passphrases are never shown again, and a form cannot
 * show files either: when they are left blank, they keep their saved value.
 */
export type FieldKind =
  | 'text'
  | 'secret'
  | 'passphrase'
  /** An uploaded file, stored in base64. */
  | 'pfx'
  /** An upload, or the same as pasted text. */
  | 'pem'
  | 'choice'
  | 'box'
  | 'pairs'
  | 'list'

export type AccountField = {
  /** As in the configuration; `extraQuery.x` is the key x of extraQuery. */
  name: string
  label: string
  kind: FieldKind
  optional?: boolean
  hint?: string
  /** `is` is the value in the configuration. */
  options?: readonly { value: string; text: string; is: unknown }[]
}

export type BankAddress = { baseUrl: string; tokenUrl: string }

/** A bank, for a provider with many banks. */
export type Bank = {
  label: string
  /** Null when the company must configure it. */
  production: BankAddress | null
  /** Null when the bank has no test environment that works like the real one. */
  homologation: BankAddress | null
  /** How its API is called. */
  behavior: object
  fields: readonly AccountField[]
  /** How to get the credentials. */
  credentials: string
  /** The name and date of the source; null when only the company knows. No bank confirmed it to us. */
  source: { from: string; date: string } | null
}

export type AdapterNeeds = {
  log: FastifyBaseLogger
  now: () => Date
  /** Allows accounts at http and at private addresses; off by default. */
  allowPrivate?: boolean
  /** How far the provider's clock is known to be ahead. */
  clockOffsetHours?: number
  /** Called with the field of an answer that could not be read. */
  onUnreadable?: (field: string) => void
}

/** A provider at which a company has its own account. */
export type Adapter = ProviderProfile & {
  /** The fields that must be filled in, and all others that the account may have. */
  listFields: (bank?: string) => { main: readonly AccountField[]; more: readonly AccountField[] }
  /** By the name in the account's `preset`, for a provider with many banks. */
  banks?: Readonly<Record<string, Bank>>
  /** How to get the credentials; null when each bank says it. */
  credentials: string | null
  notifications: {
    text: string
    /** What happens to the notification address when the account is first used for real money. */
    onChoice: string
    /** Text for an operator who chooses it, in English. */
    byHand?: string
    /** Whether people give the address to the provider; otherwise it is registered by API. */
    isPasted: boolean
    /** Suffixes that some append to the address. */
    suffixes?: readonly string[]
  }
  /** What two steps of the connection test do at this provider. */
  steps: { read: string; webhook: string }
  config: z.ZodType<object>
  /** Help for operators on its configuration, in English. */
  configHelp?: string
  /** Where secrets are sent, in a fixed order: the configured addresses, or else the known ones. */
  listAddresses(config: Record<string, unknown>): unknown[]
  /** When one of these is given, it replaces all of them. */
  certificate?: readonly string[]
  /** When the certificate of a configuration expires; undefined without a readable one. */
  findCertificateEnd?(config: unknown): Date | undefined
  /** Prepares a configuration that `config` accepted for saving; throws an AppError at its field. */
  normalize?(config: unknown): Promise<object>
  /** Throws when `config` would not accept the configuration. */
  open(config: unknown, needs: AdapterNeeds): Provider
}

/** The environment that the credentials belong to. */
export const ENVIRONMENT_FIELD: AccountField = {
  name: 'test',
  label: words.label,
  kind: 'choice',
  hint: words.hint,
  options: [
    { value: 'producao', text: words.production, is: false },
    { value: 'homologacao', text: words.tests, is: true },
  ],
}

/** Whether a card is approved where its bank does not bear fraud. */
export const LIABILITY_SHIFT_FIELD: AccountField = {
  name: 'liabilityShift',
  label: liabilityShift.label,
  kind: 'choice',
  hint: liabilityShift.hint,
  options: listOptions(liabilityShift.choices),
}

/** Another address of the provider's API, such as that of a test server. */
export function buildBaseUrlField(words: { baseUrl: string; baseUrlHint?: string }): AccountField {
  const { baseUrl: label, baseUrlHint: hint } = words
  return { name: 'baseUrl', label, kind: 'text', optional: true, ...(hint && { hint }) }
}

export function listOptions(named: Record<string, string>) {
  return Object.entries(named).map(([value, text]) => ({ value, text, is: value }))
}

export function withGuardedConnector({ allowPrivate = false, ...needs }: AdapterNeeds) {
  return { ...needs, connector: createGuardedConnector({ allowPrivate }) }
}
