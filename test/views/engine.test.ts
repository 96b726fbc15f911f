// How views are put together.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createViewEngine } from '../../src/http/html.ts'
import { makeFolder } from '../support/processes/reaper.ts'

/** @param views their texts, by their names */
function createEngine(views: Record<string, string>) {
  const folder = makeFolder('views')
  for (const [name, text] of Object.entries(views)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, `${name}.eta`), text)
  }
  return createViewEngine(folder)
}

test('what views are indented by is not sent, and their line breaks are', () => {
  const engine = createEngine({
    list: '<ul>\n  <li\n    lang="pt"><%= it.word %></li>\n</ul><%= "a\\n  b" %>',
  })

  expect(engine.render('list', { word: '  a' })).toBe('<ul>\n<li\nlang="pt">  a</li>\n</ul>a\n  b')
})

test('a part has what its includer has and what it is given besides, and a layout what was rendered', () => {
  const engine = createEngine({
    'shop/page':
      "<% layout('/frame', { title: it.name }) %><%~ include('./price', { cents: 5 }) %>",
    'shop/price': '<%= it.name %> <%= it.cents %><%~ include("/end") %>',
    end: '!',
    frame: '<h1><%= it.title %></h1><%~ it.body %>',
  })

  expect(engine.render('shop/page', { name: 'A&B', cents: 1 })).toBe('<h1>A&amp;B</h1>A&amp;B 5!')
})
