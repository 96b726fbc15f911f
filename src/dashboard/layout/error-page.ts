// Failures inside the dashboard keep the menu around them, so that nobody who is signed in is left at a dead
// end. Strangers get the page that the scope around has for them.
import type { FastifyInstance } from 'fastify'
import { logFailure, notFoundError, toAppError } from '../../http/errors.ts'
import { getErrorTitle } from '../../http/html.ts'
import type { DashboardNeeds } from './needs.ts'
import { createPageRenderer, findSection } from './page.ts'
import { errorPageTexts } from './texts.ts'

/** The code of what a person's role does not include. */
export const NOT_ALLOWED = 'not_allowed'

/** Behind the session guard, whose visitor it is that sees the menu. */
export function serveErrorPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(app, needs)

  app.setErrorHandler(async (error, request, reply) => {
    if (!request.visitor) throw error
    const failure = toAppError(error)
    logFailure(request.log, error, failure)
    const { statusCode, message, code, headers } = failure
    return show(request, reply.code(statusCode).headers(headers), 'dashboard/layout/error', {
      title: code === NOT_ALLOWED ? errorPageTexts.notAllowed : getErrorTitle(statusCode),
      section: findSection(request.url),
      message,
      requestId: statusCode >= 500 ? request.id : null,
    })
  })
  app.setNotFoundHandler(() => {
    throw notFoundError()
  })
}
