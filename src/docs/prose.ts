// Text of the document as HTML: escaped, with `code`, paragraphs and the colours of code.
import { requireFound } from '../database/found.ts'

type Token = [kind: string, pattern: string]

const STRING = [String.raw`"(?:[^"\\\n]|\\.)*"`, String.raw`'(?:[^'\\\n]|\\.)*'`, '`[^`]*`'].join(
  '|',
)
const NUMBER = String.raw`\b\d[\d_.]*\b`
const words = (list: string) => `\\b(?:${list.replaceAll(' ', '|')})\\b`

const SLASHES: Token = ['comment', String.raw`\/\/.*`]
const HASH: Token = ['comment', String.raw`(?<![\w"'$&{])#.*`]

const LANGUAGES: Record<string, Token[]> = {
  json: [
    ['name', String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)`],
    ['text', STRING],
    ['number', String.raw`-?${NUMBER}|\b(?:true|false|null)\b`],
  ],
  sh: [
    HASH,
    ['text', String.raw`"(?:[^"\\]|\\.)*"|'[^']*'`],
    ['word', String.raw`(?<=^|\n)(?:curl|npm|export|openssl)\b|(?<=\s)--?[a-zA-Z][\w-]*`],
  ],
  js: [
    SLASHES,
    ['text', STRING],
    ['word', words('import from const let try catch return async await new if function')],
    ['number', NUMBER],
  ],
  py: [
    HASH,
    ['text', STRING],
    ['word', words('import from def class return try except if in for any')],
    ['number', NUMBER],
  ],
  php: [
    SLASHES,
    ['text', STRING],
    [
      'word',
      words(
        'use new try catch if return function foreach as require exit array string bool int true false',
      ),
    ],
    ['number', NUMBER],
  ],
  rb: [
    HASH,
    ['text', STRING],
    [
      'word',
      words(
        'require def end do return unless if while loop begin rescue next true post halt status',
      ),
    ],
    ['number', NUMBER],
  ],
  go: [
    SLASHES,
    ['text', STRING],
    [
      'word',
      words('package import func var if return for range panic go struct err nil true false'),
    ],
    ['number', NUMBER],
  ],
  java: [
    SLASHES,
    ['text', STRING],
    [
      'word',
      words(
        'import class public static final boolean byte void for if return new try catch throws int null false private package',
      ),
    ],
    ['number', NUMBER],
  ],
  yaml: [HASH, ['name', String.raw`[\w./-]+(?=:(?:\s|$))`]],
  http: [['word', String.raw`(?<=^|\n)[A-Za-z-]+(?=:)|(?<=^)(?:GET|POST|PATCH|DELETE)\b`]],
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string) {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
}

/** Escaped, with a span around what its language gives a meaning to. */
export function highlight(code: string, language: string) {
  const tokens = LANGUAGES[language] ?? []
  if (tokens.length === 0) return escapeHtml(code)
  const pattern = new RegExp(tokens.map(([, one]) => `(${one})`).join('|'), 'g')
  let html = ''
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const [kind] = requireFound(tokens[match.slice(1).findIndex((group) => group !== undefined)])
    html += escapeHtml(code.slice(end, match.index))
    html += `<span class="code-${kind}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(end))
}

/** One paragraph: escaped, with what stands between backticks as code. */
export function inline(text: string) {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
