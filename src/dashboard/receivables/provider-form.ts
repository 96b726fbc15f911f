// The form of an account at a provider: what stands in its fields, and the configuration that was typed
// and uploaded. What is secret goes in and never comes out.

import type { FieldError } from '../../http/errors.ts'
import { isObject } from '../../providers/config.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import type { TypedFields } from '../layout/forms/form.ts'
import type { FormError } from '../layout/page.ts'
import type { AccountField, FieldKind } from './provider-fields.ts'
import { providerPageTexts } from './texts.ts'

export type AccountConfig = Record<string, unknown>

const words = providerPageTexts
const SECRET_KINDS: readonly FieldKind[] = ['secret', 'passphrase', 'pfx', 'pem']
/** Of a pem, what is pasted has a field of its own. */
const PASTED_SUFFIX = '.texto'

export type SentAccount = {
  /** As it was typed, blank where a field was left blank; its domain checks it. */
  config: AccountConfig
  /** What was typed but secrets, to be shown again. */
  typed: TypedFields
  /** The secrets and files that were given, which are not: blank again, they would stand for what is saved. */
  lost: string[]
  errors: FormError[]
}

export function readSentAccount(body: AccountConfig, fields: readonly AccountField[]): SentAccount {
  const sent: SentAccount = { config: {}, typed: {}, lost: [], errors: [] }
  for (const field of fields) {
    const { name, kind } = field
    const typed = readFieldText(body, name)
    const value = readFieldValue(field, typed, body)
    if (!SECRET_KINDS.includes(kind)) sent.typed[name] = typed
    else if (value) sent.lost.push(name)
    if (kind === 'pairs' && value === undefined)
      sent.errors.push({ field: name, message: words.pairs })
    else setConfigValue(sent.config, name, value)
  }
  return sent
}

type FieldState = { sent: SentAccount | null; config: AccountConfig | null }

/** What stands in a field: what was typed, or else what is saved; of a secret only that there is one. */
export function toFieldView(field: AccountField, { sent, config }: FieldState) {
  const saved = config ? getConfigValue(config, field.name) : undefined
  if (SECRET_KINDS.includes(field.kind)) {
    const again = sent?.lost.includes(field.name) ? words.again : null
    const kept = isFile(field) ? words.keptFile : words.kept(String(saved))
    return { ...field, value: '', kept: typeof saved === 'string' ? kept : null, again }
  }
  const value = sent ? (sent.typed[field.name] ?? '') : formatFieldValue(field, saved)
  return { ...field, value, kept: null, again: null }
}

/** What is saved, as Registro says it: of a secret its mask, of a file that there is one. */
export function describeSavedField(field: AccountField, config: AccountConfig | null) {
  const saved = config ? getConfigValue(config, field.name) : undefined
  if (isFile(field)) return typeof saved === 'string' ? words.sentFile : words.noValue
  if (SECRET_KINDS.includes(field.kind)) return typeof saved === 'string' ? saved : words.noValue
  const value = formatFieldValue(field, saved)
  return field.options?.find((option) => option.value === value)?.text ?? (value || words.noValue)
}

export function isFile({ kind }: AccountField) {
  return kind === 'pfx' || kind === 'pem'
}

/** Each sentence at the field that asks for what is wrong, in the order of the page. */
export function toAccountFormErrors(
  errors: FieldError[],
  fields: readonly AccountField[],
): FormError[] {
  const found = errors.map(({ field: path, message }) => {
    const field =
      fields.find(({ name }) => name === path) ??
      fields.find(({ name }) => path.startsWith(`${name}.`))
    return { field: field?.name ?? path, message: formatFieldMessage(message, field) }
  })
  const order = fields.map(({ name }) => name)
  const first = found.filter(({ field }, i) => found.findIndex((one) => one.field === field) === i)
  return first.sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
}

/** The summary tells what is missing away from its label. */
function formatFieldMessage(message: string, field: AccountField | undefined) {
  if (!field) return message
  if (message === providerAccountTexts.secretLeftBehind) return words.fillInAgain(field.label)
  return message === texts.fields.required ? words.fillIn(field.label) : message
}

/** These keys have a field of their own. */
const KEYS_WITH_OWN_FIELD: Record<string, readonly string[]> = {
  extraHeaders: ['x-conta-corrente'],
  extraQuery: ['gw-dev-app-key'],
}

function formatFieldValue({ name, kind, options }: AccountField, saved: unknown): string {
  switch (kind) {
    case 'choice':
      return options?.find(({ is }) => is === saved)?.value ?? ''
    case 'box':
      return saved ? 'on' : ''
    case 'list':
      return Array.isArray(saved) ? saved.join(', ') : ''
    case 'pairs':
      return formatPairs(isObject(saved) ? saved : {}, KEYS_WITH_OWN_FIELD[name] ?? [])
    default:
      return String(saved ?? '')
  }
}

function readFieldValue({ name, kind, options }: AccountField, typed: string, body: AccountConfig) {
  switch (kind) {
    // Blanks at its ends may belong to it.
    case 'passphrase':
      return typed
    case 'pfx':
      return readUploadedFile(body, name)?.toString('base64') ?? ''
    case 'pem': {
      const pasted = readFieldText(body, `${name}${PASTED_SUFFIX}`).trim()
      return (readUploadedFile(body, name)?.toString() ?? pasted).replaceAll('\r\n', '\n')
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

/** Undefined where a line is no pair. */
function parsePairs(typed: string): Record<string, string> | undefined {
  const lines = typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const pairs = lines.map((line) => line.match(/^([^:\s]+)\s*:\s*(\S.*)$/))
  const found = pairs.filter((pair) => pair !== null)
  if (found.length < pairs.length) return undefined
  return Object.fromEntries(found.map(([, name, value]) => [name, value]))
}

function formatPairs(pairs: AccountConfig, left: readonly string[]) {
  return Object.entries(pairs)
    .filter(([name]) => !left.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function getConfigValue(config: AccountConfig, path: string): unknown {
  const [name = '', inner] = path.split('.')
  const value = config[name]
  if (inner === undefined) return value
  return isObject(value) ? value[inner] : undefined
}

function setConfigValue(config: AccountConfig, path: string, value: unknown) {
  const [name = '', inner] = path.split('.')
  const before = config[name]
  if (inner !== undefined) config[name] = { ...(isObject(before) && before), [inner]: value }
  else config[name] = isObject(before) && isObject(value) ? { ...value, ...before } : value
}

/** Browsers send an empty file for a field that nobody filled in. */
function readUploadedFile(body: AccountConfig, name: string) {
  const file = body[name]
  return Buffer.isBuffer(file) && file.length > 0 ? file : undefined
}

function readFieldText(body: AccountConfig, name: string) {
  const typed = body[name]
  return typeof typed === 'string' ? typed : ''
}
