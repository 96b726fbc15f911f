// The address to continue at after signing in or confirming one's identity.

import type { FastifyRequest } from 'fastify'
import { HOME_PATH } from '../layout/paths.ts'

const FILE = /\.(csv|xlsx|svg|png)(\?|$)/

/** Returns the requested page; for a form its own page, or the page with its button. */
export function findReturnPath({ method, url, headers, routeOptions, server }: FastifyRequest) {
  // A file is no page: the person is led to the page with its button.
  if (method !== 'POST' && !FILE.test(url)) return parseReturnPath(url)
  const from = URL.parse(headers.referer ?? '')
  const page = from && from.pathname + from.search
  const isOwnPage = server.hasRoute({ method: 'GET', url: routeOptions.url ?? '' })
  const isSentToItself = isOwnPage && method === 'POST' && from?.pathname !== url.split('?')[0]
  return parseReturnPath(isSentToItself ? url : page)
}

/** Accepts only addresses of the dashboard. */
export function parseReturnPath(given: unknown) {
  const isOurs = typeof given === 'string' && /^\/painel(\/[\w/-]*)?(\?[^\\\s]*)?$/.test(given)
  return isOurs ? given : HOME_PATH
}
