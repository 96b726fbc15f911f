// Renders a fixture as the program would render its view.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createViewEngine } from '../../src/http/view-engine.ts'
import type { Fixture } from './fixtures/all.ts'

export const VIEWS = join(import.meta.dirname, '../../views')

/** `used` comes to hold every view that took part. */
export function createRenderer(views = VIEWS, used = new Set<string>()) {
  const engine = createViewEngine(views, (file) => {
    used.add(relative(views, file).replace(/\.eta$/, ''))
    return readFileSync(file, 'utf8')
  })
  return { used, render: ({ view, model }: Fixture) => engine.render(view, model) }
}
