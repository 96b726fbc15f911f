// Stylesheets are written in small files and served whole: one that imports others is joined at start, in
// the order of its imports, so that a browser asks once for each surface.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORT = /^@import "(\.\/[\w/-]+\.css)";\n/gm

/** The stylesheets that stand directly in a folder, by file, each with all that it imports. */
export function joinStylesheets(folder: string): Map<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.css'))
  return new Map(files.map((file) => [file, joinStylesheet(join(folder, file))]))
}

function joinStylesheet(file: string): string {
  return readFileSync(file, 'utf8').replace(
    IMPORT,
    (_line, imported: string) => `${joinStylesheet(join(dirname(file), imported))}\n`,
  )
}
