// The address to continue at after signing in or confirming one's identity.

import type { FastifyRequest } from 'fastify'
import { HOME_PATH } from '../layout/paths.ts'

const FILE = /\.(csv|xlsx|svg|png)(\?|$)/

/** The page that was asked for; of a form its own page, or the one where its button stands. */
export function findReturnPath({ method, url, headers, routeOptions, server }: FastifyRequest) {
  // A file opens no page: its button is found again, and works.
  if (method !== 'POST' && !FILE.test(url)) return parseReturnPath(url)
  const from = URL.parse(headers.referer ?? '')
  const page = from && from.pathname + from.search
  const isOwnPage = server.hasRoute({ method: 'GET', url: routeOptions.url ?? '' })
  const isSentToItself = isOwnPage && method === 'POST' && from?.pathname !== url.split('?')[0]
  return parseReturnPath(isSentToItself ? url : page)
}

/** An address of the dashboard and no other. */
export function parseReturnPath(given: unknown) {
  const isOurs = typeof given === 'string' && /^\/painel(\/[\w/-]*)?(\?[^\\\s]*)?$/.test(given)
  return isOurs ? given : HOME_PATH
}
