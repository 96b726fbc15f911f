// Text as HTML: escaped, with `code` in sentences and the colours of code in code.
import { requireFound } from '../database/found.ts'

const WORDS =
  'array async await begin bool boolean byte catch class const curl def do else end except export final for ' +
  'foreach from func function go if import in int let module new next package post private public raise range ' +
  'require rescue return static string struct throw throws try unless use var void while'

/** What our languages have in common is enough for samples of a page; the kinds have their colours in CSS. */
const TOKENS = {
  name: String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)`,
  text: [String.raw`"(?:[^"\\]|\\.)*"`, String.raw`'(?:[^'\\]|\\.)*'`, '`[^`]*`'].join('|'),
  number: String.raw`\b\d[\d_.]*\b|\b(?:true|false|null|nil|None)\b`,
  word: String.raw`\b(?:${WORDS.replaceAll(' ', '|')})\b|(?<=\s)--?[a-zA-Z][\w-]*`,
}
const SLASHES = String.raw`(?<!:)\/\/.*`
const HASH = String.raw`(?<![\w"'$&{])#.*`
const COMMENTS: Record<string, string> = { sh: HASH, py: HASH, rb: HASH, yaml: HASH }

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string) {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
}

/** Escaped, with a span around what has a meaning of its own. */
export function highlightCode(code: string, language: string) {
  const tokens = Object.entries({ comment: COMMENTS[language] ?? SLASHES, ...TOKENS })
  const pattern = new RegExp(tokens.map(([kind, one]) => `(?<${kind}>${one})`).join('|'), 'g')
  let html = ''
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const [kind] = requireFound(Object.entries(match.groups ?? {}).find(([, text]) => text))
    html += escapeHtml(code.slice(end, match.index))
    html += `<span class="code-${kind}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(end))
}

/** One paragraph: escaped, with what stands between backticks as code. */
export function renderParagraph(text: string) {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
