// How views are put together.
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { createViewEngine } from '../../src/http/view-engine.ts'

const FOLDER = '/views'

/** @param views their texts, by their names */
function createEngine(views: Record<string, string>) {
  const read: string[] = []
  const engine = createViewEngine(FOLDER, (file) => {
    const name = relative(FOLDER, file).replace(/\.eta$/, '')
    read.push(name)
    return views[name] ?? ''
  })
  return { ...engine, read }
}

test('what views are indented by is not sent, and their line breaks are', () => {
  const { render } = createEngine({ list: '<ul>\n  <li\n    lang="pt"><%= it.word %></li>\n</ul>' })

  expect(render('list', { word: '  a' })).toBe('<ul>\n<li\nlang="pt">  a</li>\n</ul>')
})

test('a part has what its includer has and what it is given besides, and a layout what was rendered', () => {
  const { render } = createEngine({
    'shop/page':
      "<% layout('/frame', { title: it.name }) %><%~ include('./price', { cents: 5 }) %>",
    'shop/price': '<%= it.name %> <%= it.cents %><%~ include("/end") %>',
    end: '!',
    frame: '<h1><%= it.title %></h1><%~ it.body %>',
  })

  expect(render('shop/page', { name: 'A&B', cents: 1 })).toBe('<h1>A&amp;B</h1>A&amp;B 5!')
})

test('what many pages have in common is rendered once for an object, and each view read once', () => {
  const { render, read } = createEngine({
    page: "<%~ includeOnce('/shared', it.shared) %> <%= it.own %>",
    shared: '<%= it.count() %>',
  })
  let count = 0
  const shared = { count: () => ++count }

  expect(render('page', { shared, own: 'a' })).toBe('1 a')
  expect(render('page', { shared, own: 'b' })).toBe('1 b')
  expect(render('page', { shared: { ...shared }, own: 'c' })).toBe('2 c')
  expect(read).toEqual(['page', 'shared'])
})
