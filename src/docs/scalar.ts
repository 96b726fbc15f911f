// The program of the reference page: Scalar, as its makers bring it for Fastify. Their package keeps it as one
// string of a module that also imports a parser of documents, which nobody here needs: the module is read, not
// run, when the first reader comes.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import { requireFound } from '../database/found.ts'

const PACKAGE_FILE = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
const SCRIPT_LINE = /^var standalone_default = (".*");$/m

/** Changes with the version that package.json names, and so may be kept for ever. */
export const SCRIPT_NAME = 'scalar-1.72.1.js'

export function readReferenceScript() {
  const [, literal] = requireFound(SCRIPT_LINE.exec(readFileSync(PACKAGE_FILE, 'utf8')))
  return Buffer.from(String(runInNewContext(requireFound(literal))))
}
