// Every page and e-mail that any test renders says all that it is given.
import { eta } from '../../src/http/views.ts'

const NOTHING = /.{0,40}(\bundefined\b|\[object |\bNaN\b|>null<|"null").{0,40}/

// This file is read anew for each file of tests, and the engine once.
if (eta.render.name !== 'renderChecked') {
  const render = eta.render
  eta.render = function renderChecked(view, ...given) {
    const html = render.call(this, view, ...given)
    // The guides of the API speak of null and NaN.
    const [nonsense] = String(view).startsWith('docs/') ? [] : (html.match(NOTHING) ?? [])
    if (nonsense) throw new Error(`${String(view)} says ${nonsense}`)
    return html
  }
}
