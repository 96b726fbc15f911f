// Views are indented for those who read them; pages go out without it.
import { Eta } from 'eta'

// Eta has written the line breaks of what stands between tags as they are written in code.
const INDENTATION = /(\\n) +/g

/** Renders the views of a folder. Each is compiled once. */
export function createViewEngine(folder: string) {
  return new Eta({
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
}
