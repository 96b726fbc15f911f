// Payers' phones have old browsers: what those lack is asked for before it is used, so that the page is plainer
// there and does all the same. Since when each is there stands in DECISIONS.md; the oldest for which pages are
// written are Chrome 88 and Safari 14.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VIEWS } from './compile.ts'

const ASSETS = join(VIEWS, 'assets')
/** All that a payer's browser is given. */
const STYLES = globSync(['base/*.css', 'checkout/*.css'], { cwd: ASSETS })
const SCRIPTS = [
  '../../src/payer-rules.js',
  'checkout.js',
  'payment.js',
  'checkout/sandbox-card.js',
  'checkout/mercadopago-card.js',
  'checkout/malga-card.js',
]
/** What these are joined with. */
const JOINED = ['../../src/address-rules.js', 'vendor/malga-tokenization-2.3.0.js']

/** A value that has var() in it is not dropped where a function is unknown: the property is reset. */
const ASKED_FOR = [/light-dark\(/, /color-mix\(/, /oklch\(/, /\d[sdl]v[hw]\b/]
/** Later than Safari 14, and what does the same in all: nothing here is asked for first. */
const TOO_NEW_STYLE = [
  ...[/@layer\b/, /\binset:/, /^\s*(rotate|scale|translate):/m],
  /\b(margin|padding|border|inset)-(inline|block)(-start|-end)?:/,
  /^\s*&/m,
  /@container\b/,
  /@starting-style\b/,
  /:popover-open\b/,
  /@media \(\w+ [<>]/,
]
const TOO_NEW_SCRIPT = [
  ...[/\.at\(/, /\bObject\.hasOwn\b/, /\bstructuredClone\(/, /\.findLast/],
  ...[/\bAbortSignal\.(timeout|any)\b/, /\brequestSubmit\(/, /\bURL\.canParse\b/, /\(\?<[=!]/],
  ...[/\bwithResolvers\b/, /\bgroupBy\(/, /\.to(Sorted|Reversed|Spliced)\(/, /\bstatic \{/],
  ...[/\bshowPopover\(/, /\bcheckVisibility\(/, /new FormData\(\w+, /, /\bArray\.fromAsync\b/],
]

type Declaration = { text: string; around: string[] }

/** With the blocks that stand around each, the outermost first. */
function listDeclarations(css: string): Declaration[] {
  const found: Declaration[] = []
  const around: string[] = []
  for (const [, text = '', end] of withoutComments(css).matchAll(/([^{};]*)([{};])/g)) {
    if (end === '{') around.push(text.trim())
    else if (text.trim()) found.push({ text: text.trim(), around: [...around] })
    if (end === '}') around.pop()
  }
  return found
}

function withoutComments(css: string) {
  return css.replace(/\/\*[\s\S]*?\*\//g, '')
}

function readAsset(file: string) {
  return readFileSync(join(ASSETS, file), 'utf8')
}

test.each(STYLES)('%s asks whether a function is known before it uses it', (file) => {
  const unasked = listDeclarations(readAsset(file)).filter(({ text, around }) => {
    const asked = around.filter((block) => block.startsWith('@supports')).join()
    return ASKED_FOR.some((value) => value.test(text) && !value.test(asked))
  })

  expect(unasked).toEqual([])
})

test.each(STYLES)('%s says each colour without light-dark() first', (file) => {
  const all = listDeclarations(readAsset(file))
  const properties = (isNew: boolean) =>
    all
      .filter(({ text }) => text.startsWith('--') && text.includes('light-dark(') === isNew)
      .map(({ text }) => text.split(':')[0])
  const plain = new Set(properties(false))

  expect(properties(true).filter((name) => !plain.has(name))).toEqual([])
})

test.each(STYLES)('%s has nothing that would be left out without a word', (file) => {
  const css = withoutComments(readAsset(file))

  expect(TOO_NEW_STYLE.filter((pattern) => pattern.test(css))).toEqual([])
})

test.each([...SCRIPTS, ...JOINED])('%s calls nothing that an old browser does not have', (file) => {
  const script = withoutComments(readAsset(file)).replace(/^\s*\/\/.*$/gm, '')

  expect(TOO_NEW_SCRIPT.filter((pattern) => pattern.test(script))).toEqual([])
})

test('an icon has its size and its colours before any style', () => {
  const icons = globSync('icons/*.eta', { cwd: VIEWS }).map((file) =>
    readFileSync(join(VIEWS, file), 'utf8'),
  )

  expect(icons.length).toBeGreaterThan(50)
  expect(icons.filter((svg) => !/^<svg [^>]*width="20" height="20" fill="\w+"/.test(svg))).toEqual(
    [],
  )
})

test('every script of the checkout is among them', () => {
  const entries = globSync('checkout*.js', { cwd: ASSETS })
  const named = entries.flatMap((file) =>
    [...readAsset(file).matchAll(/'(?:\.\/)?((?:\.\.\/)*[\w/-]+\.js)'/g)].map(([, name]) => name),
  )

  // The script of a payment is named by its page.
  expect([...new Set([...named, 'payment.js'])].sort()).toEqual([...SCRIPTS].sort())
})
