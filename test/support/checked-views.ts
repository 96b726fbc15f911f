// Every page and e-mail that any test renders says all that it is given.
import { eta } from '../../src/http/html.ts'

const NOTHING = /\bundefined\b|\[object |\bNaN\b|>null<|"null"/

// This file is read anew for each file of tests, and the engine once.
if (eta.render.name !== 'renderChecked') {
  const render = eta.render
  eta.render = function renderChecked(view, ...given) {
    const html = render.call(this, view, ...given)
    // The guides of the API speak of null and NaN.
    const at = String(view).startsWith('docs/') ? -1 : html.search(NOTHING)
    if (at >= 0)
      throw new Error(`${String(view)} says ${html.slice(Math.max(0, at - 40), at + 40)}`)
    return html
  }
}
