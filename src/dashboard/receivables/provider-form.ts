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

type AccountConfig = Record<string, unknown>
type Pairs = Record<string, string>

const words = providerPageTexts
const SECRET_KINDS: readonly FieldKind[] = ['secret', 'passphrase', 'pfx', 'pem']
/** Of a pem, what is pasted has a field of its own. */
const PASTED_SUFFIX = '.texto'

type FieldState = {
  typed: TypedFields | null
  /** The secrets and files that came with it. */
  lost?: readonly string[]
  config: AccountConfig | null
}

/** What stands in a field: what was typed, or else what is saved; of a secret only that there is one. */
export function toFieldView(field: AccountField, { typed, lost = [], config }: FieldState) {
  const saved = config ? getConfigValue(config, field.name) : undefined
  if (SECRET_KINDS.includes(field.kind)) {
    const again = lost.includes(field.name) ? words.again : null
    return { ...field, value: '', kept: describeSavedSecret(field, saved), again }
  }
  const value = typed ? (typed[field.name] ?? '') : FORMATTERS[field.kind]?.(saved, field.name)
  return { ...field, value: value ?? String(saved ?? ''), kept: null, again: null }
}

/** What is saved, as Registro says it: of a secret its mask, of a file that there is one. */
export function describeSavedField(field: AccountField, config: AccountConfig | null) {
  if (SECRET_KINDS.includes(field.kind)) {
    const saved = config ? getConfigValue(config, field.name) : undefined
    if (typeof saved !== 'string') return words.noValue
    return isFile(field) ? words.sentFile : saved
  }
  const { value } = toFieldView(field, { typed: null, config })
  const chosen = field.options?.find((option) => option.value === value)?.text
  return chosen ?? (value || words.noValue)
}

export function isFile({ kind }: AccountField) {
  return kind === 'pfx' || kind === 'pem'
}

/** What was typed but secrets, to be shown again. */
export function readTypedAccount(
  body: AccountConfig,
  fields: readonly AccountField[],
): TypedFields {
  const shown = fields.filter(({ kind }) => !SECRET_KINDS.includes(kind))
  return Object.fromEntries(shown.map(({ name }) => [name, readFieldText(body, name)]))
}

/** The secrets and files that were given, which are not: blank again, they would stand for what is saved. */
export function listLostSecrets(body: AccountConfig, fields: readonly AccountField[]) {
  const { config } = readAccountConfig(
    body,
    fields.filter(({ kind }) => SECRET_KINDS.includes(kind)),
  )
  return fields.flatMap(({ name }) => (getConfigValue(config, name) ? name : []))
}

/** The configuration as it was typed, blank where a field was left blank; its domain checks it. */
export function readAccountConfig(
  body: AccountConfig,
  fields: readonly AccountField[],
): { config: AccountConfig; problems: FormError[] } {
  const config: AccountConfig = {}
  const problems: FormError[] = []
  for (const { name, kind } of fields) {
    const value = (READERS[kind] ?? readTrimmedText)(readFieldText(body, name), { body, name })
    const isUnreadable = kind === 'pairs' && value === undefined
    if (isUnreadable) problems.push({ field: name, message: words.pairs })
    else setConfigValue(config, name, value)
  }
  return { config, problems }
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

function describeSavedSecret(field: AccountField, saved: unknown) {
  if (typeof saved !== 'string') return null
  return isFile(field) ? words.keptFile : words.kept(saved)
}

const FORMATTERS: Partial<Record<FieldKind, (saved: unknown, name: string) => string>> = {
  environment: (test) => (test ? 'homologacao' : 'producao'),
  box: (ticked) => (ticked ? 'on' : ''),
  yesOrNo: (is) => (is === undefined ? '' : is ? 'sim' : 'nao'),
  list: (values) => (Array.isArray(values) ? values.join(', ') : ''),
  pairs: (pairs, name) =>
    isObject(pairs) ? formatPairs(pairs, KEYS_WITH_OWN_FIELD[name] ?? []) : '',
}

/** These keys have a field of their own. */
const KEYS_WITH_OWN_FIELD: Record<string, readonly string[]> = {
  extraHeaders: ['x-conta-corrente'],
  extraQuery: ['gw-dev-app-key'],
}

type FieldInput = { body: AccountConfig; name: string }

const READERS: Partial<Record<FieldKind, (typed: string, sent: FieldInput) => unknown>> = {
  // Blanks at its ends may belong to it.
  passphrase: (typed) => typed,
  pfx: (_typed, sent) => readUploadedFile(sent)?.toString('base64') ?? '',
  pem: (_typed, sent) =>
    (readUploadedFile(sent)?.toString() ?? readPastedText(sent)).replaceAll('\r\n', '\n'),
  environment: (typed) => typed === 'homologacao',
  box: (typed) => typed === 'on',
  choice: (typed) => typed || undefined,
  yesOrNo: (typed) => (typed === '' ? undefined : typed === 'sim'),
  list: (typed) => (typed.trim() ? typed.split(',').map((one) => one.trim()) : undefined),
  pairs: parsePairs,
}

function readTrimmedText(typed: string) {
  return typed.trim()
}

/** Undefined where a line is no pair. */
function parsePairs(typed: string): Pairs | undefined {
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
function readUploadedFile({ body, name }: FieldInput) {
  const file = body[name]
  return Buffer.isBuffer(file) && file.length > 0 ? file : undefined
}

function readPastedText({ body, name }: FieldInput) {
  return readFieldText(body, `${name}${PASTED_SUFFIX}`).trim()
}

function readFieldText(body: AccountConfig, name: string) {
  const typed = body[name]
  return typeof typed === 'string' ? typed : ''
}
