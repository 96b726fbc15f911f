import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../support/processes/reaper.ts'
import { checkTypes } from './check.ts'

const FILES = {
  'models.ts': `export interface Views {
  layout: { title: string; body: string }
  list: { title: string; people: { name: string; email: string | null }[] }
  gone: object
  'parts/person': { person: { name: string } }
}
export type ViewFunctions = Record<string, (given: unknown) => string>`,
  'layout.eta': "<%~ include('./parts/person') %>",
  'list.eta': [
    "<% layout('./layout', it) %>",
    '<% for (const person of it.people) { %>',
    "<%~ include('./parts/person', { person }) %><%= person.phone %>",
    '<%= person.email %><% } %>',
  ].join('\n'),
  'parts/person.eta':
    "<p><%= it.person.name %></p>\n<%= it.missing %>\n<%~ include('/icons/users') %>",
  'icons/user.eta': '<svg></svg>',
}

// That a right view has no fault is what `npm run check:types` shows of all our views.
test('what a model lacks, what would read as "null", a part without its model, an icon that is none and a model without a view are found, at their lines', () => {
  const folder = makeFolder('views-test')
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }

  const faults = checkTypes({ views: folder, models: join(folder, 'models.ts') })

  expect(faults.filter((line) => !line.startsWith(' '))).toEqual([
    expect.stringMatching(/^views\/layout\.eta:1: .*TS/),
    expect.stringMatching(/^views\/list\.eta:3: .*TS2339: Property 'phone' does not exist/),
    expect.stringMatching(/^views\/list\.eta:4: .*TS/),
    expect.stringMatching(
      /^views\/parts\/person\.eta:2: .*TS2339: Property 'missing' does not exist/,
    ),
    expect.stringMatching(/^views\/parts\/person\.eta:3: .*TS/),
    expect.stringMatching(/^views\/runtime\.eta:\d+: .*TS/),
  ])
})
