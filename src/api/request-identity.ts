// What makes two requests the same one.
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const MAX_ROUTE_LENGTH = 255

/** Method and path; a path longer than any of ours by its digest, since an index takes no such text. */
export function getRouteKey({ method, url }: FastifyRequest) {
  const route = `${method} ${getUrlPath(url).replace(/\/+$/, '')}`
  return route.length <= MAX_ROUTE_LENGTH ? route : `${method} ${hash('sha256', route)}`
}

/** Of the query and the body. */
export function hashRequest({ url, body }: FastifyRequest) {
  const query = url.slice(getUrlPath(url).length)
  return hash('sha256', JSON.stringify([query, sortJsonKeys(body ?? null)]), 'buffer')
}

/** The same content whatever order its fields were written in, which some languages change at will. */
function sortJsonKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortJsonKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortJsonKeys(inner)]))
}

function getUrlPath(url: string) {
  const [path = url] = url.split('?', 1)
  return path
}
