// The form of an account at a provider: the values of its fields, and the typed and uploaded configuration. Secrets are
// accepted but never shown.
import type { FieldError } from '../../http/errors.ts'
import { isObject } from '../../providers/config.ts'
import type { AccountField, FieldKind } from '../../providers/profile.ts'
import { getAdapter, type RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import type { TypedFields } from '../layout/form.ts'
import type { FormError } from '../layout/page.ts'
import { accountTexts as words } from './texts.ts'

export type AccountConfig = Record<string, unknown>

const SECRET_KINDS: readonly FieldKind[] = ['secret', 'passphrase', 'pfx', 'pem']
/** These keys have a field of their own. */
const KEYS_WITH_OWN_FIELD: Record<string, readonly string[]> = {
  extraHeaders: ['x-conta-corrente'],
  extraQuery: ['gw-dev-app-key'],
}

export type SentAccount = {
  /** As typed, with blank fields; the domain validates it. */
  config: AccountConfig
  /** The typed values without secrets, to be shown again. */
  typed: TypedFields
  /** The names of typed secrets and files, which cannot be shown again: a blank field would keep the saved value. */
  lost: string[]
  errors: FormError[]
}

export function listFields(provider: RealProvider, bank: string | undefined) {
  const { main, more } = getAdapter(provider).listFields(bank)
  return [...main, ...more]
}

export function readSentAccount(body: AccountConfig, fields: readonly AccountField[]): SentAccount {
  const sent: SentAccount = { config: {}, typed: {}, lost: [], errors: [] }
  for (const field of fields) {
    const { name, kind } = field
    const typed = readText(body, name)
    const value = readValue(field, typed, body)
    if (!SECRET_KINDS.includes(kind)) sent.typed[name] = typed
    else if (value) sent.lost.push(name)
    if (kind === 'pairs' && value === undefined)
      sent.errors.push({ field: name, message: words.pairs })
    else setConfigValue(sent.config, name, value)
  }
  return sent
}

type FieldState = { sent: SentAccount | null; config: AccountConfig | null }

/** The value of a field: the typed one, or else the saved one; a secret shows only that it exists. */
export function toFieldView(field: AccountField, { sent, config }: FieldState) {
  const saved = getConfigValue(config, field.name)
  if (SECRET_KINDS.includes(field.kind)) {
    const again = sent?.lost.includes(field.name) ? words.again : null
    const kept = isFile(field) ? words.keptFile : words.kept(String(saved))
    return { ...field, value: '', kept: typeof saved === 'string' ? kept : null, again }
  }
  const value = sent ? (sent.typed[field.name] ?? '') : formatValue(field, saved)
  return { ...field, value, kept: null, again: null }
}

/** Describes a saved value for the audit log: a secret by its mask, a file by its existence. */
export function describeSavedField(field: AccountField, config: AccountConfig | null) {
  const saved = getConfigValue(config, field.name)
  if (isFile(field)) return typeof saved === 'string' ? words.sentFile : words.noValue
  if (SECRET_KINDS.includes(field.kind)) return typeof saved === 'string' ? saved : words.noValue
  const value = formatValue(field, saved)
  return field.options?.find((option) => option.value === value)?.text ?? (value || words.noValue)
}

export function isFile({ kind }: AccountField) {
  return kind === 'pfx' || kind === 'pem'
}

/** Shows each error at its field, in the order of the page. */
export function toAccountFormErrors(
  errors: FieldError[],
  fields: readonly AccountField[],
): FormError[] {
  const found = errors.map(({ field: path, message }) => {
    const at = fields.findIndex(({ name }) => name === path || path.startsWith(`${name}.`))
    const field = fields[at]
    return { at, field: field?.name ?? path, message: formatMessage(message, field) }
  })
  const first = found.filter(({ field }, i) => found.findIndex((one) => one.field === field) === i)
  return first.sort((a, b) => a.at - b.at).map(({ field, message }) => ({ field, message }))
}

/** In the summary, errors are shown without their labels. */
function formatMessage(message: string, field: AccountField | undefined) {
  if (!field) return message
  if (message === providerAccountTexts.secretLeftBehind) return words.fillInAgain(field.label)
  return message === texts.fields.required ? words.fillIn(field.label) : message
}

function formatValue({ name, kind, options }: AccountField, saved: unknown): string {
  switch (kind) {
    case 'choice':
      return options?.find(({ is }) => is === saved)?.value ?? ''
    case 'box':
      return saved ? 'on' : ''
    case 'list':
      return Array.isArray(saved) ? saved.join(', ') : ''
    case 'pairs':
      return Object.entries(isObject(saved) ? saved : {})
        .filter(([key]) => !KEYS_WITH_OWN_FIELD[name]?.includes(key))
        .map(([key, value]) => `${key}: ${value}`)
        .join('\n')
    default:
      return String(saved ?? '')
  }
}

function readValue({ name, kind, options }: AccountField, typed: string, body: AccountConfig) {
  switch (kind) {
    // Spaces at its ends may belong to it.
    case 'passphrase':
      return typed
    case 'pfx':
      return readUpload(body, name)?.toString('base64') ?? ''
    // Pasted text has a field of its own.
    case 'pem': {
      const pasted = readText(body, `${name}.texto`).trim()
      return (readUpload(body, name)?.toString() ?? pasted).replaceAll('\r\n', '\n')
    }
    case 'choice': {
      const chosen = options?.find(({ value }) => value === typed)
      return chosen ? chosen.is : typed || undefined
    }
    case 'box':
      return typed === 'on'
    case 'list':
      return typed.trim() ? typed.split(',').map((one) => one.trim()) : undefined
    case 'pairs':
      return parsePairs(typed)
    default:
      return typed.trim()
  }
}

/** Undefined when a line is no pair. */
function parsePairs(typed: string): Record<string, string> | undefined {
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => line.trim().match(/^([^:\s]+)\s*:\s*(\S.*)$/))
  const found = pairs.filter((pair) => pair !== null)
  if (found.length < pairs.length) return undefined
  return Object.fromEntries(found.map(([, name, value]) => [name, value]))
}

function getConfigValue(config: AccountConfig | null, path: string): unknown {
  const [name = '', inner] = path.split('.')
  const value = config?.[name]
  if (inner === undefined) return value
  return isObject(value) ? value[inner] : undefined
}

function setConfigValue(config: AccountConfig, path: string, value: unknown) {
  const [name = '', inner] = path.split('.')
  const before = config[name]
  if (inner !== undefined) config[name] = { ...(isObject(before) && before), [inner]: value }
  else config[name] = isObject(before) && isObject(value) ? { ...value, ...before } : value
}

/** Browsers send an empty file for an unused field. */
function readUpload(body: AccountConfig, name: string) {
  const file = body[name]
  return Buffer.isBuffer(file) && file.length > 0 ? file : undefined
}

function readText(body: AccountConfig, name: string) {
  const typed = body[name]
  return typeof typed === 'string' ? typed : ''
}
