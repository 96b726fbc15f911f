// Serves the stylesheets, scripts and images of views/assets: read once, each joined with the files that it imports,
// compressed for clients that accept it, under an address that changes with the content and may be cached for ever.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { requireFound } from '../database/found.ts'
import { memoizeValue } from '../record.ts'
import { chooseEncoding, createCompressor } from './compress.ts'

const ASSETS_FOLDER = fileURLToPath(new URL('../../views/assets', import.meta.url))
const FOREVER = 'public, max-age=31536000, immutable'
/** A picture up to this size is placed in the page itself, as a data URL. */
const MAX_INLINE_BYTES = 512
const SVG = 'image/svg+xml'
const TEXT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': SVG,
}

/**
 * Returns the address of a file of views/assets, which contains the hash of the assets, so that browsers may keep it
 * for ever; for a small picture a data URL.
 */
export type GetAssetUrl = (file: string) => string

export function serveAssets(app: FastifyInstance): GetAssetUrl {
  const assets = readAssets(ASSETS_FOLDER)
  const prefix = `/assets/${hashAssets(assets)}/`
  const inline = new Map<string, string>()
  for (const [name, content] of assets) {
    const type = TEXT_TYPES[extname(name)]
    if (type) serveText(app, prefix + name, { type, read: () => content })
    else servePicture(app, prefix + name, content)
    if (type === SVG && content.length <= MAX_INLINE_BYTES) {
      // SVG as text, so that it is compressed with the page.
      inline.set(name, `data:${SVG},${encodeURIComponent(content.toString())}`)
    }
  }
  return (file) => inline.get(file) ?? prefix + file
}

/**
 * Serves a script of a package, which is read at the first request.
 * @param path must change when the content changes
 */
export function servePackageScript(app: FastifyInstance, path: string, load: () => Buffer) {
  serveText(app, path, { type: requireFound(TEXT_TYPES['.js']), read: memoizeValue(load) })
}

function hashAssets(assets: Map<string, Buffer>) {
  const hash = createHash('sha256')
  for (const content of assets.values()) hash.update(content)
  return hash.digest('hex').slice(0, 12)
}

type TextAsset = { type: string; read: () => Buffer }

function serveText(app: FastifyInstance, path: string, { type, read }: TextAsset) {
  const compress = createCompressor(read)
  const headers = { 'content-type': type, 'cache-control': FOREVER, vary: 'Accept-Encoding' }
  app.get(path, async (request, reply) => {
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    reply.headers(headers)
    if (!encoding) return read()
    reply.header('content-encoding', encoding)
    return compress(encoding)
  })
}

function servePicture(app: FastifyInstance, path: string, content: Buffer) {
  app.get(path, async (_request, reply) =>
    reply.type('image/png').header('cache-control', FOREVER).send(content),
  )
}

const STYLE_IMPORT = /^@import "(\.\/[\w/-]+\.css)"(?: layer\((\w+)\))?;\n/gm
// Comments and indentation are removed, which saves a payer's phone three kilobytes. In scripts only comments that
// begin a line are removed, because elsewhere `//` may be part of a string.
const STYLE_COMMENT = /\/\*[\s\S]*?\*\/\s*/g
const SCRIPT_COMMENT = /^(?:[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)\s*)+/gm
const INDENTATION = /^\s+/gm
const SCRIPT_IMPORT = /^import '(\.\/[\w/-]+\.js)'\n/gm
/** An import of names: the imported file is placed once above all files that import it. */
const NAMES_IMPORT = /^import \{[^}]*\} from ['](\S+)[']\n/gm
const EXPORT = /^export /gm

/** Reads the files directly in a folder, each joined with all that it imports. */
export function readAssets(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const names = files.map(({ name }) => name).sort()
  return new Map(names.map((name) => [name, readAsset(join(folder, name))]))
}

function readAsset(file: string) {
  if (file.endsWith('.css')) return Buffer.from(joinStylesheet(file))
  if (file.endsWith('.js')) return Buffer.from(readScript(file))
  return readFileSync(file)
}

function joinStylesheet(file: string): string {
  const written = readWithout(STYLE_COMMENT, file)
  return written.replace(STYLE_IMPORT, (_line, imported: string, layer?: string) => {
    const css = joinStylesheet(join(dirname(file), imported))
    return layer ? `@layer ${layer} {\n${css}}\n` : `${css}\n`
  })
}

function readScript(file: string) {
  const shared = new Set<string>()
  const script = joinScript(file, shared)
  const parts = [...shared].map((one) => readWithout(SCRIPT_COMMENT, one).replace(EXPORT, ''))
  return parts.length > 0 ? `${parts.join('')}{\n${script}}\n` : script
}

/** Puts the script into a block, so that its names stay its own, as in a module. */
function joinScript(file: string, shared: Set<string>): string {
  return readWithout(SCRIPT_COMMENT, file)
    .replace(NAMES_IMPORT, (_line, imported: string) => {
      shared.add(join(dirname(file), imported))
      return ''
    })
    .replace(SCRIPT_IMPORT, (_line, imported: string) => {
      return `{\n${joinScript(join(dirname(file), imported), shared)}}\n`
    })
}

function readWithout(comment: RegExp, file: string) {
  return readFileSync(file, 'utf8').replace(comment, '').replace(INDENTATION, '')
}
