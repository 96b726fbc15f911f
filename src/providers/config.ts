// Merges and shows an account's configuration, without its secrets.
import { checkPublicUrl } from '../http/outbound.ts'
import { texts } from '../texts.ts'
import type { Adapter, FieldKind } from './profile.ts'

type ConfigFields = Record<string, unknown>

const SECRET_KINDS: readonly FieldKind[] = ['secret', 'passphrase']
const FILE_KINDS: readonly FieldKind[] = ['pfx', 'pem']
/** Fields with an address to connect to. */
const ADDRESS_FIELDS = ['baseUrl', 'tokenUrl']
const MASK = '••••'
/** Four characters of a shorter secret would reveal too much. */
const MIN_LENGTH_TO_SHOW_END = 12

/**
 * Fills blank secrets and files with their saved values. A certificate is kept as a whole or not at all, and secrets
 * are kept only if the address is the same.
 */
export function mergeSavedSecrets(
  given: ConfigFields,
  before: ConfigFields | null | undefined,
  adapter: Adapter,
): ConfigFields {
  const config = removeBlanks(given)
  if (!before) return config
  const left = isMoved(config, before, adapter) ? listSecrets(adapter) : []
  const kept = listReplaceable(config, adapter).filter((path) => !left.includes(path))
  for (const path of kept) keepSavedField(config, before, path)
  return config
}

/**
 * Lists the secret fields that are blank although their saved value belongs to another address: they must be sent
 * again.
 */
export function listSecretsLeftBehind(
  given: ConfigFields,
  before: ConfigFields,
  adapter: Adapter,
): string[] {
  const config = removeBlanks(given)
  if (!isMoved(config, before, adapter)) return []
  const secret = listSecrets(adapter)
  return listReplaceable(config, adapter).filter(
    (path) =>
      secret.includes(path) &&
      getField(before, path) !== undefined &&
      getField(config, path) === undefined,
  )
}

/** Lists the origins that secrets are sent to. */
export function listOrigins(given: ConfigFields, { listAddresses }: Adapter): string[] {
  const origins = listAddresses(removeBlanks(given)).map(readOrigin)
  return [...new Set(origins.filter((origin) => origin !== undefined))]
}

/** Whether secrets would be sent to another origin. Invalid addresses are reported by the schema. */
function isMoved(config: ConfigFields, before: ConfigFields, { listAddresses }: Adapter) {
  const known = listAddresses(before)
  return listAddresses(config).some((url, i) => {
    const origin = readOrigin(url)
    return origin !== undefined && origin !== readOrigin(known[i])
  })
}

function readOrigin(url: unknown) {
  return typeof url === 'string' ? URL.parse(url)?.origin : undefined
}

/** Fields that keep their saved value when they are blank. */
function listReplaceable(config: ConfigFields, adapter: Adapter) {
  const { certificate = [] } = adapter
  const renewed = certificate.some((name) => config[name] !== undefined)
  const all = [...listFieldsOf(adapter, SECRET_KINDS), ...listFieldsOf(adapter, FILE_KINDS)]
  return all.filter((name) => !(renewed && certificate.includes(name)))
}

/** Fields that must not be sent to another address. */
function listSecrets(adapter: Adapter) {
  return [...listFieldsOf(adapter, SECRET_KINDS), ...(adapter.certificate ?? [])]
}

function listFieldsOf({ listFields }: Adapter, kinds: readonly FieldKind[]) {
  const { main, more } = listFields()
  return [...main, ...more].filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name)
}

/** Shows secrets by their last four characters, and files not at all. */
export function maskConfig(config: ConfigFields, adapter: Adapter): ConfigFields {
  const shown = structuredClone(config)
  for (const path of listFieldsOf(adapter, SECRET_KINDS)) maskField(shown, path)
  for (const path of listFieldsOf(adapter, FILE_KINDS))
    if (shown[path] !== undefined) shown[path] = MASK
  return shown
}

/** Finds addresses that only this server can reach, since an account must not make the server call them. */
export async function findAddressErrors(config: ConfigFields, allowPrivate: boolean) {
  const errors = ADDRESS_FIELDS.map(async (field) => {
    const url = config[field]
    const code = typeof url === 'string' ? await checkPublicUrl(url, allowPrivate) : null
    return code ? [{ field, code, message: texts.urls[code] }] : []
  })
  return (await Promise.all(errors)).flat()
}

function removeBlanks(config: ConfigFields): ConfigFields {
  const entries = Object.entries(config).filter(([, value]) => value !== '')
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isObject(value) ? removeBlanks(value) : value]),
  )
}

/** `extraQuery.x` is the key x of extraQuery. */
export function getField(config: ConfigFields, path: string): unknown {
  const [name = '', inner] = path.split('.')
  const value = config[name]
  if (inner === undefined) return value
  return isObject(value) ? value[inner] : undefined
}

function keepSavedField(config: ConfigFields, before: ConfigFields, path: string) {
  const [name = '', inner] = path.split('.')
  if (inner === undefined) {
    if (before[name] !== undefined) config[name] ??= before[name]
    return
  }
  const [given = {}, known] = [config[name], before[name]]
  if (!isObject(known) || known[inner] === undefined || !isObject(given)) return
  config[name] = { [inner]: known[inner], ...given }
}

function maskField(config: ConfigFields, path: string) {
  const [name = '', inner] = path.split('.')
  const value = config[name]
  if (inner !== undefined) {
    if (isObject(value)) maskField(value, inner)
  } else if (typeof value === 'string') {
    config[name] = value.length >= MIN_LENGTH_TO_SHOW_END ? MASK + value.slice(-4) : MASK
  }
}

export function isObject(value: unknown): value is ConfigFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
