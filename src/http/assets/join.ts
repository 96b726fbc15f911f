// Joins each stylesheet and script with the files that it imports, at start, so that a page loads one file.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

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
