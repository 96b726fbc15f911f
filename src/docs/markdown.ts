// The guides are Markdown in which Eta fills in addresses, programs and lists. Tools are given what comes out, and
// browsers the same as HTML.
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { Marked, type Renderer, type Tokens } from 'marked'
import { eta as views } from '../http/views.ts'

const GUIDES_FOLDER = fileURLToPath(new URL('../../views/docs/guides', import.meta.url))

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

export function renderMarkdown(text: string) {
  return marked.parse(text, { async: false })
}

/** What stands behind the language of a fence is the title of the code. */
function renderCode({ text, lang = '' }: Tokens.Code) {
  const [language = '', ...words] = lang.split(' ')
  return views.render('docs/code', { language, label: words.join(' '), code: text })
}

/** With an id, which begins with a letter, so that a link may lead to it. */
function renderHeading(this: Renderer, { depth, text, tokens }: Tokens.Heading) {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const id = plain.replace(/\W+/g, ' ').trim().replaceAll(' ', '-')
  return `<h${depth} id="${id.replace(/^(?=\d)/, 'h-')}">${this.parser.parseInline(tokens)}</h${depth}>\n`
}
