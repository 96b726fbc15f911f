// Renders a fixture as the program would render its view.
import { join } from 'node:path'
import { createViewEngine } from '../../src/http/view-engine.ts'
import type { Fixture } from './fixtures/all.ts'

export const VIEWS = join(import.meta.dirname, '../../views')

/** `used` comes to hold every view that took part. */
export function createRenderer(views = VIEWS, used = new Set<string>()) {
  const eta = createViewEngine(views)
  const resolve = eta.resolvePath!
  eta.resolvePath = (path, options) => {
    const file = resolve.call(eta, path, options)
    used.add(file.slice(views.length + 1).replace(/\.eta$/, ''))
    return file
  }
  return { used, render: ({ view, model }: Fixture) => eta.render(`./${view}`, model) }
}
