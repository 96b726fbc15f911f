// Renders a fixture as the program would render its view.
import { join, relative } from 'node:path'
import { createViewEngine } from '../../src/http/views.ts'
import type { Fixture } from './fixtures/all.ts'

export const VIEWS = join(import.meta.dirname, '../../views')

/** `used` comes to hold every view that took part. */
export function createRenderer(views = VIEWS, used = new Set<string>()) {
  const engine = createViewEngine(views)
  const read = engine.readFile
  engine.readFile = function readNoted(file) {
    used.add(relative(views, file).replace(/\.eta$/, ''))
    return read?.call(this, file) ?? ''
  }
  return { used, render: ({ view, model }: Fixture) => engine.render(view, model) }
}
