// The programs of the guides: one folder for each task, one file for each language that does it. They
// are run as they stand, by the contract suite.
import { existsSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../views/docs/samples/', import.meta.url)
const LANGUAGES = [
  { file: 'shell.sh', label: 'Shell', language: 'sh' },
  { file: 'node.mjs', label: 'Node.js', language: 'js' },
  { file: 'python.py', label: 'Python', language: 'py' },
  { file: 'php.php', label: 'PHP', language: 'php' },
]

export function readSample(file: string) {
  return readFileSync(new URL(file, FOLDER), 'utf8').trimEnd()
}

/** The programs that there are for a task, as Markdown, in a box that a browser makes tabs of. */
export function writePrograms(task: string) {
  const programs = LANGUAGES.map((one) => ({ ...one, path: `${task}/${one.file}` }))
    .filter(({ path }) => existsSync(new URL(path, FOLDER)))
    .map(({ language, label, path }) => `\`\`\`${language} ${label}\n${readSample(path)}\n\`\`\``)
  return `<div class="tabs">\n\n${programs.join('\n\n')}\n\n</div>`
}
