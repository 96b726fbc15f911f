// The programs of the guides: one folder for each task, one file for each language that does it. They
// are run as they stand, by the contract suite.
import { existsSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../views/docs/samples/', import.meta.url)
const LANGUAGES = [
  { name: 'shell', extension: 'sh', label: 'Shell', language: 'sh' },
  { name: 'node', extension: 'mjs', label: 'Node.js', language: 'js' },
  { name: 'python', extension: 'py', label: 'Python', language: 'py' },
  { name: 'php', extension: 'php', label: 'PHP', language: 'php' },
]

export function readSample(file: string) {
  return readFileSync(new URL(file, FOLDER), 'utf8').trimEnd()
}

/** What there is for a task, in the order in which it is shown. */
export function readSamples(task: string) {
  return LANGUAGES.map((one) => ({ ...one, file: `${task}/${one.name}.${one.extension}` }))
    .filter(({ file }) => existsSync(new URL(file, FOLDER)))
    .map(({ file, ...language }) => ({ ...language, code: readSample(file) }))
}
