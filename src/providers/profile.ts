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

const { environment: words } = providerAccountTexts

/** How a payer enters a card. */
export type CardEntry = CardForm | CardPage

/** In our form: the script that takes the card, and the origins that the pages must allow for it. */
export type CardForm = {
  kind: 'form'
  /** The marks that the form shows. */
  brands: readonly CardBrand[]
  /** The form's whole script, a file of views/assets. */
  script: string
  /** Whether the provider's own frames take the card; else our own inputs do. */
  isFramed: boolean
  form: Origins
  /** Where the bank asks the payer to confirm the purchase. */
  challenge: Origins & { frames?: true }
}

/** At the provider's own page, which the payer goes to and comes back from: our form has no fields for it. */
export type CardPage = { kind: 'redirect'; brands: readonly CardBrand[] }

/** Capabilities of every account at a provider. */
export type Capabilities = {
  methods: readonly PaymentMethod[]
  /** How payers type a card; null where none can be paid by. */
  cardEntry: CardEntry | null
  /** Whether no card is charged without its payer's e-mail. */
  cardNeedsEmail: boolean
  /** Where the prices of installments come from. */
  installmentQuotes: 'local' | 'provider'
  /** Whether money can leave an approved payment without us: refunds there, chargebacks. */
  reversals: boolean
  /** What it lists of an account: all that came in by Pix, and what of that has gone back or is contested. */
  lists: 'received' | 'everything' | null
  /** Whether a Pix is charged without asking anybody: its code is written with the attempt itself. */
  localPix: boolean
}

export type ProviderProfile = Capabilities & {
  name: string
  about: string
  /** Where a company answers a dispute. */
  answerDisputesAt: string
}

/** How a field of an account's form is asked and read. */
export type FieldKind =
  | 'text'
  | 'secret'
  | 'passphrase'
  /** An uploaded file, kept in base64. */
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
  /** `is`: what stands in the configuration. */
  options?: readonly { value: string; text: string; is: unknown }[]
}

export type BankAddress = { baseUrl: string; tokenUrl: string }

/** A bank, where a provider is many. */
export type Bank = {
  label: string
  /** Null: only what the company configures. */
  production: BankAddress | null
  /** Null: the bank has no place for tests that works as the real one does. */
  homologation: BankAddress | null
  /** How its API is called. */
  behavior: object
  fields: readonly AccountField[]
  /** How the credentials are got. */
  credentials: string
  /** The name of where this was read, and when; null: only the company knows. No bank said any of it to us. */
  source: { from: string; date: string } | null
}

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

/** A provider that a company has an account of its own at. */
export type Adapter = ProviderProfile & {
  /** The fields that its people must fill in, and all others that the account may have. */
  listFields: (bank?: string) => { main: readonly AccountField[]; more: readonly AccountField[] }
  /** By the name that the account's `preset` has; null where the provider is one. */
  banks: Readonly<Record<string, Bank>> | null
  /** How the credentials are got; null where each bank says so. */
  credentials: string | null
  notifications: {
    text: string
    /** What becomes of their address when the account begins to be used for real money. */
    onChoice: string
    /** Text for an operator who chooses it, in English. */
    byHand?: string
    /** Whether its people give the provider the address; else it is registered by API. */
    isPasted: boolean
    /** What some append to the address that they were given. */
    suffixes: readonly string[]
  }
  /** What two steps of a test of the connection do there. */
  steps: { read: string; webhook: string }
  config: z.ZodType<object>
  /** Help for operators on its configuration, in English. */
  configHelp?: string
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
  /** When the certificate of a configuration ends; undefined where it has none that can be read. */
  findCertificateEnd?(config: unknown): Date | undefined
  /** What is kept of a configuration that `config` let through; throws an AppError at its field. */
  normalize?(config: unknown): Promise<object>
  /** Throws when the configuration is not one that `config` let through. */
  open(config: unknown, needs: AdapterNeeds): Provider
}

/** Which environment the credentials are of. */
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

export function listOptions(named: Record<string, string>) {
  return Object.entries(named).map(([value, text]) => ({ value, text, is: value }))
}

export function withGuardedConnector({ allowPrivate = false, ...needs }: AdapterNeeds) {
  return { ...needs, connector: createGuardedConnector({ allowPrivate }) }
}
