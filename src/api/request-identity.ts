// Decides whether two requests are the same.
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const MAX_ROUTE_LENGTH = 255
const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/**
 * Returns method and path in one form: ids in lower case, and no needless percent-encoding. A path that is longer than
 * all of ours is replaced by its digest, since an index refuses long texts.
 */
export function getRouteKey({ method, url }: FastifyRequest) {
  // Encodes the path again in one way. Characters such as NUL stay encoded, since Postgres refuses them.
  const path = encodeURI(decodeURIComponent(getUrlPath(url))).replace(/\/+$/, '')
  const route = `${method} ${path.replace(UUIDS, (id) => id.toLowerCase())}`
  return route.length <= MAX_ROUTE_LENGTH ? route : `${method} ${hash('sha256', route)}`
}

export function hashRequest({ url, body }: FastifyRequest) {
  const query = url.slice(getUrlPath(url).length)
  return hash('sha256', JSON.stringify([query, sortJsonKeys(body ?? null)]), 'buffer')
}

/** Sorts the fields, since some languages write them in a random order. */
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
