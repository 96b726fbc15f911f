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

test('a line that holds nothing but code leaves none behind, nor does its indentation', () => {
  const { render } = createEngine({
    list: `<% const { words } = it %>
<ul>
  <% for (const word of words) { %>
    <li><%= word %></li>
  <% } %><% if (words.length === 0) { %>
    <li>none</li>
  <% } %>
</ul>
`,
  })

  expect(render('list', { words: ['a', 'b'] })).toBe('<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n')
  expect(render('list', { words: [] })).toBe('<ul>\n<li>none</li>\n</ul>\n')
})

test('code beside text leaves the text its spaces and line breaks', () => {
  const { render } = createEngine({
    words: `<p<% if (it.big) { %> class="big"<% } %>>
  one <% if (it.two) { %>two<% } %>
  <%= it.three %>
  four</p>`,
  })

  expect(render('words', { big: true, two: true, three: 3 })).toBe(
    '<p class="big">\none two\n3\nfour</p>',
  )
  expect(render('words', { big: false, two: false, three: 3 })).toBe('<p>\none \n3\nfour</p>')
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
