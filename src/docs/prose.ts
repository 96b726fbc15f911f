// Text as HTML: escaped, with `code` in sentences and the colours of code in code.
import { requireFound } from '../database/found.ts'

const WORDS =
  'async await catch class const curl def do else except export for foreach from function if import in let new ' +
  'raise return throw try use var while'

/** What our languages have in common is enough for samples of a page; the kinds have their colours in CSS. */
const TOKENS = {
  name: String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)`,
  text: [String.raw`"(?:[^"\\]|\\.)*"`, String.raw`'(?:[^'\\]|\\.)*'`, '`[^`]*`'].join('|'),
  number: String.raw`\b\d[\d_.]*\b|\b(?:true|false|null|None)\b`,
  word: String.raw`\b(?:${WORDS.replaceAll(' ', '|')})\b|(?<=\s)--?[a-zA-Z][\w-]*`,
}
const SLASHES = String.raw`(?<!:)\/\/.*`
const HASH = String.raw`(?<![\w"'$&{])#.*`
const COMMENTS: Record<string, string> = { sh: HASH, py: HASH, yaml: HASH }

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
