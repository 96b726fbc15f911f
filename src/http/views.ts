// Renders the views with Eta: one engine for pages (by @fastify/view) and for mails.
import { fileURLToPath } from 'node:url'
import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyInstance } from 'fastify'

const VIEWS_FOLDER = fileURLToPath(new URL('../../views', import.meta.url))

type Part = ReturnType<Eta['parse']>[number]

export const eta = createViewEngine()

/** @param views the folder with the views */
export function createViewEngine(views = VIEWS_FOLDER) {
  const processAST = (parts: Part[]) => parts.map(unindent)
  return new Eta({ views, autoTrim: false, cache: true, plugins: [{ processAST }] })
}

/**
 * Removes the indentation of a view from its output. It works on parsed parts and not on the text of the file, so that
 * code samples between tags keep their indentation. Eta has already written line breaks as code.
 */
function unindent(part: Part) {
  return typeof part === 'string' ? part.replace(/(\\n) +/g, '$1') : part
}

/** With `production` each view is compiled once. */
export function serveViews(app: FastifyInstance) {
  app.register(view, { engine: { eta }, root: VIEWS_FOLDER, viewExt: 'eta', production: true })
}
