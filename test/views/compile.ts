// Makes a typed function of every view, so that the compiler finds what a view reads and its model lacks.
// Eta itself takes a view apart; what is code in it stays as it is, on the line where it stands.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Eta } from 'eta'
import { eta as engine } from '../../src/http/html.ts'

export const VIEWS = join(import.meta.dirname, '../../views')
const ICONS = 'icons/'
const FUNCTIONS = Object.keys(engine.functions).join(', ')
const eta = new Eta({ autoTrim: false, debug: true })

/** The names of all views in a folder, icons among them. */
export function listViews(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.eta'))
    .map((file) => file.replace(/\.eta$/, ''))
    .sort()
}

export function isIcon(name: string) {
  return name.startsWith(ICONS)
}

export function readView(folder: string, name: string) {
  return readFileSync(join(folder, `${name}.eta`), 'utf8')
}

type Tag = { t: 'e' | 'i' | 'r'; val: string; lineNo: number }

/** A module with one function, which does with `it` what the view does. */
export function compileView(name: string, source: string) {
  const runtime = posix.relative(posix.dirname(name), 'runtime.ts')
  let code = [
    `import { $echo, $icon, $include, $layout, $merge, $raw, $functions, type $Model } from './${runtime}'`,
    `const { ${FUNCTIONS} } = $functions`,
    `export function render(it: $Model<'${name}'>): void {`,
  ].join('; ')
  let line = 1
  for (const part of eta.parse(source) as (string | Tag)[]) {
    if (typeof part === 'string') continue
    code += '\n'.repeat(Math.max(0, part.lineNo - line)) + compileTag(name, part)
    line = Math.max(line, part.lineNo) + part.val.split('\n').length - 1
  }
  return `${code}\n}\n`
}

function compileTag(name: string, { t: kind, val }: Tag) {
  const code = compileCalls(name, val)
  if (kind === 'e') return ` ${code}`
  return kind === 'i' ? ` $echo(${code});` : ` $raw(${code});`
}

/**
 * What the views call. `models` is the module of the type `Views`; every model there has a view. A view without a model
 * is a part: it gets the models of the views that include it.
 */
export function compileRuntime(names: readonly string[], models: string, folder: string) {
  const icons = names.filter(isIcon).map((name) => `'/${name}'`)
  const pages = names.filter((name) => !isIcon(name))
  const views = pages.map((name) => `'${name}'`)
  const includes = pages.flatMap((from) =>
    [...readView(folder, from).matchAll(CALL)].flatMap(([, verb, , path]) =>
      verb === 'include' && isPart(path) ? { from, part: resolvePath(from, path) } : [],
    ),
  )
  const parents = [...Map.groupBy(includes, ({ part }) => part)].map(
    ([part, by]) => `'${part}': ${by.map(({ from }) => `'${from}'`).join(' | ')}`,
  )
  return `import type { ViewFunctions, Views } from '${models}'
export declare const $functions: ViewFunctions
type Parents = { ${parents.join('; ')} }
export type $Model<Name> = Name extends keyof Views
  ? Views[Name]
  : Name extends keyof Parents ? $Model<Parents[Name]> : never
type Name = keyof Views | keyof Parents
type Icon = ${icons.join(' | ') || 'never'}
type WithoutView = Exclude<keyof Views, ${views.join(' | ')}>
export const $withoutView: [WithoutView] extends [never] ? null : WithoutView = null
export declare function $echo(value: string | number): void
export declare function $raw(markup: string): void
export declare function $icon(name: Icon): string
export declare function $include<Of extends Name>(name: Of, it: $Model<Of>): string
export declare function $layout<Name extends keyof Views>(name: Name, it: Omit<Views[Name], 'body'>): void
export declare function $merge<It, Data>(it: It, data: Data): Omit<It, keyof Data> & Data
`
}

const CALL = /\b(include|layout)\(\s*(?:(['"])([^'"]+)\2\s*(,\s*(\{)?)?)?/g

/** A part reads what its includer has, and what it is given besides. */
function compileCalls(from: string, code: string) {
  let compiled = ''
  let at = 0
  for (const match of code.matchAll(CALL)) {
    if (match.index < at) continue
    compiled += code.slice(at, match.index)
    at = match.index + match[0].length
    const [, , , path, comma, brace] = match
    compiled += openCall(from, match)
    if (!isPart(path) || brace || !comma) continue
    const end = findEndOfCall(code, at)
    compiled += `, $merge(it, ${code.slice(at, end)}))`
    at = end + 1
  }
  return compiled + code.slice(at)
}

function isPart(path: string | undefined): path is string {
  return path !== undefined && !path.startsWith(`/${ICONS}`)
}

function openCall(from: string, [, verb, , path, comma, brace]: RegExpExecArray) {
  if (!isPart(path)) return path === undefined ? '$icon(' : `$icon('${path}'`
  const call = `$${verb}('${resolvePath(from, path)}'`
  if (brace) return `${call}, {...it, `
  return comma ? call : `${call}, it`
}

function resolvePath(from: string, path: string) {
  return path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path)
}

/** Where the parenthesis is that closes a call which is open at `start`. */
function findEndOfCall(code: string, start: number) {
  let depth = 0
  for (const { 0: token, index } of code.slice(start).matchAll(/'[^']*'|"[^"]*"|`[^`]*`|[()]/g)) {
    if (token === '(') depth += 1
    if (token === ')' && depth-- === 0) return start + index
  }
  throw new SyntaxError(`a call is not closed: ${code}`)
}
