// The guides are Markdown in which Eta fills in addresses, programs and lists. Tools get the Markdown, browsers the
// same as HTML. The programs are files in one folder for each task, one file for each language; the contract suite runs
// these files.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { Marked, type Renderer, type Tokens } from 'marked'
import { eta as views } from '../http/views.ts'

const GUIDES_FOLDER = fileURLToPath(new URL('../../views/docs/guides', import.meta.url))
const SAMPLES_FOLDER = new URL('../../views/docs/samples/', import.meta.url)
const LANGUAGES = [
  { file: 'shell.sh', label: 'Shell', language: 'sh' },
  { file: 'node.mjs', label: 'Node.js', language: 'js' },
  { file: 'python.py', label: 'Python', language: 'py' },
  { file: 'php.php', label: 'PHP', language: 'php' },
]

const guides = new Eta({
  views: GUIDES_FOLDER,
  defaultExtension: '.md',
  autoEscape: false,
  autoTrim: false,
  cache: true,
})
const marked = new Marked({ renderer: { code: renderCode, heading: renderHeading } })

export function renderGuide(slug: string, model: object) {
  return guides.render(slug, model)
}

/** The title is the first line. */
export function readGuideTitle(slug: string) {
  const [heading = ''] = readFileSync(`${GUIDES_FOLDER}/${slug}.md`, 'utf8').split('\n')
  return heading.replace('# ', '')
}

export function renderMarkdown(text: string) {
  return marked.parse(text, { async: false })
}

export function readSample(file: string) {
  return readFileSync(new URL(file, SAMPLES_FOLDER), 'utf8').trimEnd()
}

/** Writes the programs of a task as Markdown, in a box that the browser shows as tabs. */
export function writePrograms(task: string) {
  const programs = LANGUAGES.map((one) => ({ ...one, path: `${task}/${one.file}` }))
    .filter(({ path }) => existsSync(new URL(path, SAMPLES_FOLDER)))
    .map(({ language, label, path }) => `\`\`\`${language} ${label}\n${readSample(path)}\n\`\`\``)
  return `<div class="tabs">\n\n${programs.join('\n\n')}\n\n</div>`
}

/** The text after the language of a fence is the title of the code. */
function renderCode({ text, lang = '' }: Tokens.Code) {
  const [language = '', ...words] = lang.split(' ')
  return views.render('docs/code', { language, label: words.join(' '), code: text })
}

/** Gives a heading an id, which begins with a letter, so that links may lead to it. */
function renderHeading(this: Renderer, { depth, text, tokens }: Tokens.Heading) {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const id = plain.replace(/\W+/g, ' ').trim().replaceAll(' ', '-')
  return `<h${depth} id="${id.replace(/^(?=\d)/, 'h-')}">${this.parser.parseInline(tokens)}</h${depth}>\n`
}
