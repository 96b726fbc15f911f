// The guides: their addresses, and their descriptions in the menu, on the home page and in llms.txt. The text and title
// of each are in `views/docs/guides/<slug>.md`, Markdown in which Eta fills in addresses, programs and lists. Tools get
// the Markdown, browsers the same as HTML. The programs are files in one folder for each task, one file for each
// language; the contract suite runs these files.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { Marked, type Renderer, type Tokens } from 'marked'
import { eta as views } from '../http/html.ts'

export const DOCS_PATH = '/api/docs'

export type Guide = ReturnType<typeof listGuides>[number]

/** In the order of the menu, by their addresses below the docs. */
const INTEGRATION = {
  comecar: 'Da chave ao primeiro pagamento de teste, em cinco minutos.',
  enviar: 'Envie um link por e-mail e lembre quem não pagou.',
  webhooks: 'Saiba do pagamento e confira a assinatura.',
  paginacao: 'Percorra listas de qualquer tamanho.',
  conciliacao: 'Confira o que entrou num dia, venda por venda.',
  reembolsos: 'Devolva tudo ou uma parte, sem devolver duas vezes.',
  idempotencia: 'Repita uma requisição sem medo de fazer duas vezes.',
  erros: 'O formato, todos os códigos e o que fazer em cada um.',
  'cartoes-de-teste': 'Aprovado, recusado, com autenticação: provoque cada caso.',
  producao: 'O que conferir antes da primeira cobrança real.',
  mudancas: 'O que mudou na API, por data.',
}

const OPERATION = {
  recebimentos: 'As credenciais em cada banco e provedor, e o primeiro real.',
  pci: 'Por onde passa o número do cartão, e o que sobra para você.',
  acompanhar: 'Sondas, métricas e os alertas que importam.',
}

export function listGuideGroups() {
  return [
    { title: 'Integrar', guides: listGuides(INTEGRATION) },
    { title: 'Receber e operar', guides: listGuides(OPERATION) },
  ]
}

function listGuides(described: Record<string, string>) {
  return Object.entries(described).map(([slug, about]) => ({
    slug,
    about,
    title: readGuideTitle(slug),
  }))
}

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
function readGuideTitle(slug: string) {
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
