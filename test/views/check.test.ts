import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkViews } from './check.ts'

const MODELS = `export interface Views {
  layout: { title: string; body: string }
  list: { title: string; people: { name: string; email: string | null }[] }
  'parts/person': { person: { name: string } }
}`

const VIEWS = {
  'layout.eta': '<title><%= it.title %></title>\n<%~ it.body %>',
  'list.eta': [
    "<% layout('./layout', it) %>",
    "<%~ include('/icons/user') %>",
    '<% for (const person of it.people) { %>',
    "<%~ include('./parts/person', { person }) %><%= person.email ?? '' %>",
    '<% } %>',
  ].join('\n'),
  'parts/person.eta': '<p><%= it.person.name %></p>',
  'icons/user.eta': '<svg></svg>',
}

/** The beginnings of what is found once some views are others. */
function findFaults(others: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'views-test-'))
  for (const [file, text] of Object.entries({ 'models.ts': MODELS, ...VIEWS, ...others })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return checkViews({ views: folder, models: join(folder, 'models.ts') })
    .filter((line) => !line.startsWith(' '))
    .map((line) => line.replace('error ', '').slice(0, 80))
}

test('views that read what their models have are found faultless', () => {
  expect(findFaults()).toEqual([])
})

test('a view that reads what its model lacks is found, at its line', () => {
  const faults = findFaults({
    'list.eta': '<ul>\n<% for (const one of it.people) { %>\n<%= one.phone %>\n<% } %>\n</ul>',
    'parts/person.eta': '<p></p>\n<p><%= it.missing %></p>',
  })

  expect(faults).toEqual([
    expect.stringMatching(/^list\.eta:3: TS2339: Property 'phone' does not exist/),
    expect.stringMatching(/^parts\/person\.eta:2: TS2339: Property 'missing' does not exist/),
  ])
})

test('what would read as "null", a part without its model and an icon that is none are found', () => {
  const faults = findFaults({
    'layout.eta': "<%~ include('./parts/person') %>",
    'list.eta': '<% for (const { email } of it.people) { %>\n<%= email %><% } %>',
    'parts/person.eta': "<%~ include('/icons/users') %>",
  })

  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    'layout.eta:1:',
    'list.eta:2:',
    'parts/person.eta:1:',
  ])
})

test('a model without a view is found', () => {
  const models = MODELS.replace('layout:', 'gone: object\n  layout:')

  expect(findFaults({ 'models.ts': models })).toEqual([
    expect.stringMatching(/^runtime\.eta:\d+: TS/),
  ])
})
