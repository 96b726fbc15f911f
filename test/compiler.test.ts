// What the source may ask the compiler to believe: that an insert has returned its row, and a type where it
// says why.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import {
  isArrayBindingPattern,
  isAsExpression,
  isBlock,
  isIdentifier,
  isNonNullExpression,
  isTypeAssertion,
  isVariableStatement,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'
import { afterAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const RETURNED_INSERT = /\.insert\([\s\S]*\.returning\(/
const COMMENT = /^\s*(\/\/|\/\*|\*)|\s\/\/ /

const api = new API({ cwd: ROOT })
afterAll(() => api.close())

const project = api
  .updateSnapshot({ openProjects: [join(ROOT, 'tsconfig.json')] })
  .getProject(join(ROOT, 'tsconfig.json'))

const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => project!.program.getSourceFile(join(ROOT, 'src', name))!)

/** Where `isWanted` holds, as `src/main.ts:12 the line`. */
function findPlaces(isWanted: (node: Node, file: SourceFile) => boolean) {
  return files.flatMap((file) => {
    const places: string[] = []
    const visit = (node: Node) => {
      if (isWanted(node, file)) places.push(describePosition(node, file))
      node.forEachChild(visit)
    }
    file.forEachChild(visit)
    return places
  })
}

function describePosition(node: Node, file: SourceFile) {
  const [, line] = linesUpTo(file, node.end)
  return `${file.fileName.slice(ROOT.length + 1)}:${lineOf(file, node.end) + 1} ${line.trim()}`
}

const lineOf = (file: SourceFile, at: number) => file.text.slice(0, at).split('\n').length - 1

/** The line before and the line of a place. */
function linesUpTo(file: SourceFile, at: number): [string, string] {
  const line = lineOf(file, at)
  const lines = file.text.split('\n')
  return [lines[line - 1] ?? '', lines[line] ?? '']
}

/** Whether the name is one of `const [row] = await db.insert(…)….returning()`, in the nearest block that declares it. */
function isReturnedRow(expression: Node, file: SourceFile) {
  if (!isIdentifier(expression)) return false
  for (let at: Node | undefined = expression.parent; at; at = at.parent) {
    if (!isBlock(at)) continue
    const declared = at.statements
      .filter(isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .filter(({ name }) => new RegExp(`\\b${expression.text}\\b`).test(name.getText(file)))
    const [own] = declared
    if (!own) continue
    const { name, initializer } = own
    return isArrayBindingPattern(name) && RETURNED_INSERT.test(initializer?.getText(file) ?? '')
  }
  return false
}

test('the source is looked at whole', () => {
  expect(files.length).toBeGreaterThan(400)
})

test('only the row that an insert returns is taken to be there', () => {
  const asserted = findPlaces(
    (node, file) => isNonNullExpression(node) && !isReturnedRow(node.expression, file),
  )

  expect(asserted).toEqual([])
})

test('a type is claimed only where it is said why, on its line or the one before', () => {
  const claimed = findPlaces((node, file) => {
    if (isTypeAssertion(node)) return true
    if (!isAsExpression(node) || node.type.getText(file) === 'const') return false
    return !linesUpTo(file, node.type.getStart(file)).some((line) => COMMENT.test(line))
  })

  expect(claimed).toEqual([])
})
