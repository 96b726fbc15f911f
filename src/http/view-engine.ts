// Views are indented for those who read them; pages go out without it.
import { Eta } from 'eta'
import { requireFound } from '../database/found.ts'

// Eta has written the line breaks of what stands between tags as they are written in code.
const INDENTATION = /(\\n) +/g

/** Renders the views of a folder. Each is compiled once. */
export function createViewEngine(folder: string) {
  const eta = new Eta({
    views: folder,
    autoTrim: false,
    cache: true,
    functionHeader: 'const includeOnce = (name, model) => this.includeOnce(name, model, options)',
    plugins: [
      {
        processAST: (parts) =>
          parts.map((part) => (typeof part === 'string' ? part.replace(INDENTATION, '$1') : part)),
      },
    ],
  })
  cachePaths(eta)
  return Object.assign(eta, { includeOnce: createOnceRenderer(eta) })
}

/**
 * For `includeOnce(view, model)`, a part that many pages have in common: rendered the first time that it is given
 * this very object, which holds all that it is made of. The view is named from the root.
 */
function createOnceRenderer(eta: Eta) {
  const partsByModel = new WeakMap<object, Map<string, string>>()
  return (name: string, model: object, options: { filepath: string }) => {
    const parts = partsByModel.get(model) ?? new Map<string, string>()
    const part = parts.get(name) ?? joinPieces(eta.render(name, model, options))
    partsByModel.set(model, parts.set(name, part))
    return part
  }
}

/** A text is put together when it is first read, and in a page anew: this one will be part of many. */
function joinPieces(text: string) {
  return Buffer.from(text).toString()
}

/** Eta works out anew where a part lies, each time that it is included. */
function cachePaths(eta: Eta) {
  const resolvePath = eta.resolvePath?.bind(eta)
  const pathsByIncluder = new Map<string | undefined, Map<string, string>>()
  eta.resolvePath = (name, options) => {
    const paths = pathsByIncluder.get(options?.filepath) ?? new Map<string, string>()
    const path = paths.get(name) ?? requireFound(resolvePath?.(name, options))
    pathsByIncluder.set(options?.filepath, paths.set(name, path))
    return path
  }
}
