// Decides whether two requests are the same one.
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const MAX_ROUTE_LENGTH = 255
const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/**
 * Method and path, in which an id in capitals is the same id, and so is one of percent-encoded letters; a path
 * longer than any of ours by its digest, since an index takes no such text.
 */
export function getRouteKey({ method, url }: FastifyRequest) {
  // Encoded anew, in the one way that leaves out what needs none: no column takes a NUL.
  const path = encodeURI(decodeURIComponent(getUrlPath(url))).replace(/\/+$/, '')
  const route = `${method} ${path.replace(UUIDS, (id) => id.toLowerCase())}`
  return route.length <= MAX_ROUTE_LENGTH ? route : `${method} ${hash('sha256', route)}`
}

/** The hash of the query and the body. */
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
