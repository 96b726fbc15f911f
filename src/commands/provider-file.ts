// Reads the file with an account's configuration. Certificates are in it, or in other files: `pfxFile`, `certFile`,
// `keyFile` and `caFile` name them, relative to it.

import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { toError } from '../system-error.ts'
import { CommandError } from './command.ts'

const MAX_BYTES = 262_144
const FILE_FIELDS: Record<string, { field: string; encoding: 'base64' | 'utf8' }> = {
  pfxFile: { field: 'pfx', encoding: 'base64' },
  certFile: { field: 'cert', encoding: 'utf8' },
  keyFile: { field: 'key', encoding: 'utf8' },
  caFile: { field: 'ca', encoding: 'utf8' },
}

/** Throws a CommandError that names the wrong file. The caller checks the content. */
export function readProviderFile(path: string): Record<string, unknown> {
  const config = parseJsonObject(path, readConfigFile(path, 'utf8'))
  const entries = Object.entries(config).map(([name, value]) => {
    const beside = FILE_FIELDS[name]
    if (!beside) return [name, value]
    if (typeof value !== 'string') throw new CommandError(`${name} in ${path} must be a path.`)
    return [beside.field, readConfigFile(resolve(dirname(path), value), beside.encoding)]
  })
  return Object.fromEntries(entries)
}

function readConfigFile(path: string, encoding: 'base64' | 'utf8') {
  try {
    if (statSync(path).size > MAX_BYTES) throw new Error('it is too big')
    return readFileSync(path, encoding)
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${toError(error).message}.`)
  }
}

function parseJsonObject(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // The parser's own message quotes the text, which has secrets.
  }
  throw new CommandError(`${path} is not a JSON object.`)
}
