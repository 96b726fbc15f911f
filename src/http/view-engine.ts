// Views are indented for those who read them; pages go out without it. The templates' language and their parser are
// Eta's. How a view calls others is ours: what Eta makes anew for each of them took a tenth of a page's time.
import { readFileSync } from 'node:fs'
import { Eta } from 'eta'

type View = (model: object) => string
type Renderer = (name: string, model: object) => string
/** What a compiled view calls. */
type Calls = { render: Renderer; renderOnce: Renderer; escape: (value: unknown) => string }

// Eta has written the line breaks of what stands between tags as they are written in code.
const LINE_BREAK = '\\n'
const INDENTATION = /(\\n) +/g

/**
 * Renders the views of a folder by their names in it. Each is read and compiled at its first use.
 * @param read answers the text of a file
 */
export function createViewEngine(folder: string, read = readText) {
  const eta = new Eta({ views: folder, autoTrim: false })
  const views = new Map<string, View>()
  const render = createNameRenderer()
  const renderOnce = createOnceRenderer(render)
  return { render }

  /** @param from the file of the view that names the others */
  function createNameRenderer(from?: string): Renderer {
    const named = new Map<string, View>()
    return (name, model) => {
      const view =
        named.get(name) ?? openView(eta.resolvePath(name, from ? { filepath: from } : {}))
      named.set(name, view)
      return view(model)
    }
  }

  function openView(file: string) {
    const view = views.get(file) ?? compileView(file)
    views.set(file, view)
    return view
  }

  function compileView(file: string): View {
    const fill = compile(eta, read(file))
    const { escapeFunction } = eta.config
    const calls: Calls = { render: createNameRenderer(file), renderOnce, escape: escapeFunction }
    return (model) => fill(model, calls)
  }
}

function readText(file: string) {
  return readFileSync(file, 'utf8')
}

/** A view has `it`, `include`, `includeOnce` and `layout`; what begins with underscores is ours, and Eta's. */
function compile(eta: Eta, text: string) {
  const code = `
    const include = (name, own) => __calls.render(name, own ? { ...it, ...own } : it)
    const includeOnce = __calls.renderOnce
    const __eta = { res: '', e: __calls.escape, frame: undefined }
    const layout = (name, own) => { __eta.frame = { name, own } }
    ${eta.compileBody(eta.parse(text).map(unindent))}
    if (!__eta.frame) return __eta.res
    return include(__eta.frame.name, { ...__eta.frame.own, body: __eta.res })`
  // No compiler sees what is in it.
  return new Function('it', '__calls', code) as (model: object, calls: Calls) => string
}

type Part = ReturnType<Eta['parse']>[number]

function unindent(part: Part) {
  return typeof part === 'string' ? part.replace(INDENTATION, LINE_BREAK) : part
}

/**
 * For `includeOnce(view, model)`, a part that many pages have in common: rendered the first time that it is given
 * this very object, which holds all that it is made of. The view is named from the root.
 */
function createOnceRenderer(render: Renderer): Renderer {
  const partsByModel = new WeakMap<object, Map<string, string>>()
  return (name, model) => {
    const parts = partsByModel.get(model) ?? new Map<string, string>()
    const part = parts.get(name) ?? joinPieces(render(name, model))
    partsByModel.set(model, parts.set(name, part))
    return part
  }
}

/** A text is put together when it is first read, and in a page anew: this one will be part of many. */
function joinPieces(text: string) {
  return Buffer.from(text).toString()
}
