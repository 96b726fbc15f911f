// Most payers are new at a link that others have opened: they get its kept form before the framework looks at
// their request, as it would answer it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { newId, newToken } from '../../database/id.ts'
import { SECOND_MS } from '../../database/instant.ts'
import { PAGE_HEADERS } from '../../http/html.ts'
import { createAnswerLog } from '../../http/log.ts'
import { buildSecurityHeaders } from '../../http/security-headers.ts'
import type { AnswerFirst } from '../../http/server.ts'
import { FORM_ATTEMPT_LENGTH, formatFormAttempt } from '../form.ts'
import { negotiateTexts } from '../language.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { buildVisitCookie } from '../visit-cookie.ts'
import type { KeptPage } from './render.ts'
import type { createLinkReplies } from './replies.ts'

type KeptForms = Pick<ReturnType<typeof createLinkReplies>, 'findKeptForm'>

export function createFormAnswer(needs: CheckoutNeeds, { findKeptForm }: KeptForms): AnswerFirst {
  const { lifecycle, metrics, visits } = needs
  const linksUrl = `${needs.mount}/`
  const logAnswer = createAnswerLog(needs.log)
  const observeAnswer = metrics?.openResponseSeries('GET', `${linksUrl}:slug`)
  const getHeaders = createHeaderCache({ ...buildSecurityHeaders(needs.baseUrl), ...PAGE_HEADERS })

  return function answerWithForm(request, response) {
    const startedAt = performance.now()
    const { url = '', headers } = request
    if (lifecycle.phase !== 'ready' || !isPlain(request) || !url.startsWith(linksUrl)) return false
    const found = needs.findLink.peek(url.slice(linksUrl.length))
    const now = needs.now()
    const page = found && findKeptForm(found, negotiateTexts(headers), now)
    if (!page) return false

    const [id, token] = [newId(), newToken()]
    const attempt = formatFormAttempt({ token, knownMs: now.getTime() })
    const cookie = buildVisitCookie(needs, found.link.slug, [{ token, heardMs: null }])
    const own = ['x-request-id', id, 'set-cookie', cookie]
    sendParts(response.writeHead(200, [...getHeaders(page), ...own]), page, attempt)
    visits.countOpened(found.link.id, request)
    const ms = performance.now() - startedAt
    observeAnswer?.(200, ms / SECOND_MS)
    logAnswer({ id, method: 'GET', url }, { status: 200, ms })
    return true
  }
}

/** Of a browser that says nothing of itself that the answer would depend on. */
function isPlain({ method, headers }: IncomingMessage) {
  return method === 'GET' && headers.cookie === undefined && headers.host !== undefined
}

/** To join them first would cost more than all else that such an answer takes. */
function sendParts(response: ServerResponse, { before, after }: KeptPage, attempt: string) {
  response.cork()
  response.write(before)
  response.write(attempt)
  response.end(after)
}

/** Names and values in turns, as Node writes them fastest. */
function createHeaderCache(common: Record<string, string>) {
  const known = new WeakMap<KeptPage, string[]>()
  return (page: KeptPage) => {
    const headers = known.get(page) ?? listHeaders({ ...common, ...page.headers }, page)
    known.set(page, headers)
    return headers
  }
}

function listHeaders(headers: Record<string, string>, { before, after }: KeptPage) {
  const length = String(before.length + FORM_ATTEMPT_LENGTH + after.length)
  return Object.entries({ ...headers, 'content-length': length }).flat()
}
