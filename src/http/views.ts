// Renders the views with Eta: one engine for pages, sent by @fastify/view, and for mails.
import { fileURLToPath } from 'node:url'
import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyInstance } from 'fastify'

const VIEWS_FOLDER = fileURLToPath(new URL('../../views', import.meta.url))

type Part = ReturnType<Eta['parse']>[number]

export const eta = createViewEngine()

/** @param views the folder that a view's name begins in */
export function createViewEngine(views = VIEWS_FOLDER) {
  const processAST = (parts: Part[]) => parts.map(unindent)
  return new Eta({ views, autoTrim: false, cache: true, plugins: [{ processAST }] })
}

/**
 * Views are indented for those who read them, and pages go out without it. Parts that are parsed are un-indented, and
 * not the text of the file: code samples between tags keep their indentation. Eta has written line breaks as code.
 */
function unindent(part: Part) {
  return typeof part === 'string' ? part.replace(/(\\n) +/g, '$1') : part
}

/** `production` is what has each view compiled once. */
export function serveViews(app: FastifyInstance) {
  app.register(view, { engine: { eta }, root: VIEWS_FOLDER, viewExt: 'eta', production: true })
}
