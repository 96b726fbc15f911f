// The form of an account at a provider: the values of its fields, and the typed and uploaded configuration. Secrets are
// accepted but never shown.
import { X509Certificate } from 'node:crypto'
import type { FieldError } from '../../http/errors.ts'
import { removeUnseen } from '../../payer-rules.js'
import { getField, isObject } from '../../providers/config.ts'
import type { AccountField, FieldKind } from '../../providers/profile.ts'
import { getAdapter, type RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import type { TypedFields } from '../layout/form.ts'
import type { FormError } from '../layout/page.ts'
import { describeChange } from '../layout/versioned.ts'
import { accountTexts as words } from './texts.ts'

export type AccountConfig = Record<string, unknown>

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
}

export function listFields(provider: RealProvider, bank: string | undefined) {
  const { main, more } = getAdapter(provider).listFields(bank)
  return [...main, ...more]
}

export function readSentAccount(body: AccountConfig, fields: readonly AccountField[]): SentAccount {
  const sent: SentAccount = { config: {}, typed: {}, lost: [] }
  for (const field of fields) {
    const { name, kind } = field
    const typed = readText(body, name)
    const value = KINDS[kind].read(field, typed, body)
    if (!KINDS[kind].isSecret) sent.typed[name] = typed
    else if (value) sent.lost.push(name)
    setConfigValue(sent.config, name, value)
  }
  return sent
}

type FieldState = { sent: SentAccount | null; config: AccountConfig | null }

/** The value of a field: the typed one, or else the saved one; a secret shows only that it exists. */
export function toFieldView(field: AccountField, { sent, config }: FieldState) {
  const saved = getField(config ?? {}, field.name)
  if (KINDS[field.kind].isSecret) {
    const again = sent?.lost.includes(field.name) ? words.again : null
    const kept = KINDS[field.kind].isFile ? words.keptFile : words.kept(String(saved))
    return { ...field, value: '', kept: typeof saved === 'string' ? kept : null, again }
  }
  const value = sent ? (sent.typed[field.name] ?? '') : formatValue(field, saved)
  return { ...field, value, kept: null, again: null }
}

/** Describes a saved value for the audit log: a secret by its mask, a file by its existence. */
function describeSavedField(field: AccountField, config: AccountConfig | null) {
  const saved = getField(config ?? {}, field.name)
  if (KINDS[field.kind].isFile) return typeof saved === 'string' ? words.sentFile : words.noValue
  if (KINDS[field.kind].isSecret) return typeof saved === 'string' ? saved : words.noValue
  const value = formatValue(field, saved)
  return field.options?.find((option) => option.value === value)?.text ?? (value || words.noValue)
}

/**
 * Each changed field before and after, for the audit log.
 * @param lost the secrets and files that were sent
 */
export function describeAccountChanges(
  fields: readonly AccountField[],
  { before, after, lost }: Record<'before' | 'after', AccountConfig | null> & { lost: string[] },
) {
  const entries = fields.flatMap((field) => {
    const { name, label } = field
    const old = describeSavedField(field, before)
    const isExchanged = KINDS[field.kind].isFile && lost.includes(name) && old === words.sentFile
    const now = isExchanged ? words.exchangedFile : describeSavedField(field, after)
    return old === now ? [] : [[name, describeChange(label, old, now)] as const]
  })
  return Object.fromEntries(entries)
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
  if (message === texts.fields.object) return words.pairs
  return message === texts.fields.required ? words.fillIn(field.label) : message
}

type Kind = {
  /** A secret is never shown again; a file is one. */
  isSecret?: true
  isFile?: true
  /** The typed value, blank when nothing was typed; undefined for what cannot be read. */
  read: (field: AccountField, typed: string, body: AccountConfig) => unknown
  /** The saved value as its field shows it. */
  format?: (field: AccountField, saved: unknown) => string
}

/** How each kind of field is read and shown. */
const KINDS: Record<FieldKind, Kind> = {
  text: { read: (_, typed) => removeUnseen(typed).trim() },
  secret: { isSecret: true, read: (_, typed) => removeUnseen(typed).trim() },
  // Spaces at its ends may belong to it.
  passphrase: { isSecret: true, read: (_, typed) => typed },
  pfx: {
    ...{ isSecret: true, isFile: true },
    read: ({ name }, _, body) => readUpload(body, name)?.toString('base64') ?? '',
  },
  pem: {
    ...{ isSecret: true, isFile: true },
    // Pasted text has a field of its own.
    read: ({ name }, _, body) => {
      const file = readUpload(body, name)
      const text = file ? toPem(file) : readText(body, `${name}.texto`)
      return text.trim().replaceAll('\r\n', '\n')
    },
  },
  choice: {
    read({ options }, typed) {
      const chosen = options?.find(({ value }) => value === typed)
      return chosen ? chosen.is : typed || undefined
    },
    format: ({ options }, saved) => options?.find(({ is }) => is === saved)?.value ?? '',
  },
  box: { read: (_, typed) => typed === 'on', format: (_, saved) => (saved ? 'on' : '') },
  list: {
    read: (_, typed) => (typed.trim() ? typed.split(',').map((one) => one.trim()) : undefined),
    format: (_, saved) => (Array.isArray(saved) ? saved.join(', ') : ''),
  },
  pairs: {
    read: (_, typed) => parsePairs(typed),
    format: ({ name }, saved) =>
      Object.entries(isObject(saved) ? saved : {})
        .filter(([key]) => !KEYS_WITH_OWN_FIELD[name]?.includes(key))
        .map(([key, value]) => `${key}: ${value}`)
        .join('\n'),
  },
}

function formatValue(field: AccountField, saved: unknown) {
  return KINDS[field.kind].format?.(field, saved) ?? String(saved ?? '')
}

/** Returns the typed text, which the domain refuses, when a line is no pair. */
function parsePairs(typed: string) {
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => line.trim().match(/^([^:\s]+)\s*:\s*(\S.*)$/))
  const found = pairs.filter((pair) => pair !== null)
  if (found.length < pairs.length) return typed
  return Object.fromEntries(found.map(([, name, value]) => [name, value]))
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

/** Banks issue certificates in PEM, or the same in DER; other files are returned as text, which the domain refuses. */
function toPem(file: Buffer) {
  const isPem = file.includes('-----BEGIN ')
  try {
    return isPem ? file.toString() : new X509Certificate(file).toString()
  } catch {
    return file.toString()
  }
}

function readText(body: AccountConfig, name: string) {
  const typed = body[name]
  return typeof typed === 'string' ? typed : ''
}
