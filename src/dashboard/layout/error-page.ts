// Error pages of the dashboard keep the menu for signed-in people. Strangers get the error page of the outer scope.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CARD_DATA_REFUSED } from '../../http/card-data.ts'
import { logFailure, notFoundError, toAppError } from '../../http/errors.ts'
import { getErrorMessage, getErrorTitle } from '../../http/html.ts'
import { getRights } from '../../users/roles.ts'
import { findSection, findSectionList } from './menu.ts'
import type { DashboardNeeds } from './needs.ts'
import { HOME_PATH } from './paths.ts'
import { errorPageTexts } from './texts.ts'

/** The code of an action that the person's role does not include. */
export const NOT_ALLOWED = 'not_allowed'
/** The code of a form that was sent after its session ended. */
export const FORM_EXPIRED = 'form_expired'

/** For the scope behind the session guard: the visitor sees the menu. */
export function serveErrorPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

  app.setErrorHandler(async (error, request, reply) => {
    if (!request.visitor) throw error
    const failure = toAppError(error)
    logFailure(request, error, failure)
    const { statusCode, code, headers } = failure
    return show(request, reply.code(statusCode).headers(headers), 'dashboard/layout/error', {
      title: code === NOT_ALLOWED ? errorPageTexts.notAllowed : getErrorTitle(statusCode),
      message: getErrorMessage(failure),
      ways: [...listWaysBack(app, request, code), ...listWaysOn(request, statusCode)],
      requestId: statusCode >= 500 ? request.id : null,
    })
  })
  app.setNotFoundHandler(() => {
    throw notFoundError()
  })
}

/** Links to the form, if it has an address: reloading the error page would only send it again. */
function listWaysBack(
  app: FastifyInstance,
  { url, method, routeOptions }: FastifyRequest,
  code: string,
) {
  const isForm = code === FORM_EXPIRED || (code === CARD_DATA_REFUSED && method === 'POST')
  if (!isForm || !app.hasRoute({ method: 'GET', url: routeOptions.url ?? '' })) return []
  // The card number may be in the query.
  const href = code === CARD_DATA_REFUSED ? url.replace(/\?.*/s, '') : url
  return [{ text: errorPageTexts.formAgain, href }]
}

/** After a failure of ours, links to try again; otherwise to the section's list, if the person may see it. */
function listWaysOn({ method, url, visitor }: FastifyRequest, statusCode: number) {
  const { again, section, home } = errorPageTexts
  const [path] = url.split('?')
  const list = findSectionList(getRights(visitor.user.role), findSection(url))
  return [
    ...(statusCode >= 500 && method === 'GET' ? [{ text: again, href: url }] : []),
    ...(list && list.href !== path ? [{ text: section(list.text), href: list.href }] : []),
    { text: home, href: HOME_PATH },
  ]
}
