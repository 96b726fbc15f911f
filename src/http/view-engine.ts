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
    plugins: [
      {
        processAST: (parts) =>
          parts.map((part) => (typeof part === 'string' ? part.replace(INDENTATION, '$1') : part)),
      },
    ],
  })
  rememberPaths(eta)
  return eta
}

/** Eta works out anew where a part lies, each time that it is included. */
function rememberPaths(eta: Eta) {
  const resolvePath = eta.resolvePath?.bind(eta)
  const pathsByIncluder = new Map<string | undefined, Map<string, string>>()
  eta.resolvePath = (name, options) => {
    const paths = pathsByIncluder.get(options?.filepath) ?? new Map<string, string>()
    const path = paths.get(name) ?? requireFound(resolvePath?.(name, options))
    pathsByIncluder.set(options?.filepath, paths.set(name, path))
    return path
  }
}
